-- Answers a question from the harbour's books, and says where that stands.
--
-- The books are a corpus; `harbour` in .tactus/config.yml starts `biblicus mcp` on it. A toolset is named, never a single
-- tool: `mcp.harbour.knowledge_base_query`, as Tactus's own pages write it, does not work in 0.53.4. The line below is for
-- `tactus test`, which starts no server: it needs a toolset of that name all the same.

Toolset "harbour" { type = "mcp", server = "harbour" }

reply = Tool {
  name = "reply",
  description = "Give the answer. refs: of the evidence it stands on. No answer: an empty text.",
  input = {
    answer = field.string{required = true},
    refs = field.array{required = false}
  },
  function(args)
    return {answer = args.answer}
  end
}

keeper = Agent {
  provider = "openai",
  model = "gpt-4o-mini",  -- the broker takes such a name alone; model.py answers to any
  system_prompt = [[
    You answer from the harbour's books. Look the question up with the recipe that is named, then reply: in the books' own
    words, with the refs they stand at. What the books do not say, you do not say.
  ]],
  tools = {"harbour", "reply"}
}

Procedure {
  input = {
    question = field.string{required = true},
    recipe = field.string{default = "lexical"}
  },
  output = {
    answer = field.string{required = true},
    refs = field.array{required = false}
  },
  function(input)
    local turns = 0
    repeat
      keeper({message = input.question .. "\nRecipe: " .. input.recipe})
      turns = turns + 1
    until reply.called() or turns == 4
    if not reply.called() then
      error("the agent gave no reply in four turns")
    end
    local said = reply.last_call().args
    return {answer = said.answer, refs = said.refs or {}}
  end
}

-- `tactus test keeper.tac --mock`: no model is asked, no server started.
Mocks {
  keeper = {
    tool_calls = {
      {tool = "harbour_knowledge_base_query", args = {query = "grey seals", recipe = "lexical"}},
      {tool = "reply", args = {answer = "41 grey seals in 2024.", refs = {"notes/seals.md#lines=16-16"}}}
    },
    message = "41 grey seals in 2024."
  }
}

Specification([[
Feature: The keeper
  Scenario: A question is looked up, then answered with its place
    Given the procedure has started
    And the input question is "How many grey seals were counted in 2024?"
    When the procedure runs
    Then the harbour_knowledge_base_query tool should be called
    And the reply tool should be called exactly 1 time
    And the output answer should be 41 grey seals in 2024.
    And the output refs should exist
    And the procedure should complete successfully
]])

-- `python eval.py`: the same questions over two recipes.
Evaluation {
  dataset = {
    {name = "seals, lexical", inputs = {question = "How many grey seals were counted in 2024?", recipe = "lexical"}},
    {name = "seals, scan", inputs = {question = "How many grey seals were counted in 2024?", recipe = "scan"}}
  },
  evaluators = {
    {type = "contains", field = "__output__", value = "| 2024 | 41 |"}
  },
  thresholds = {min_success_rate = 1.0}
}
