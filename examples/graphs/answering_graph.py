"""The harbour's questions, answered by a LangGraph graph: each step as it comes, then the answer.

pip install "biblicus-corpus[langgraph]"
python examples/graphs/answering_graph.py path/to/corpus "How long may a visitor stay in winter?"
"""

import sys

from biblicus.connectors.langgraph import answering_graph


def main(corpus: str, question: str) -> None:
    graph = answering_graph(corpus)
    state: dict = {}
    for step in graph.stream({"question": question}):
        for name, written in step.items():
            print(f"{name}: {', '.join(written or ['nothing to do'])}")
            state.update(written or {})
    print(state["answer"].answer or "No answer.")
    for verdict in state["verdicts"]:
        print(f"  {verdict.path}: {verdict.status}")


if __name__ == "__main__":
    main(*sys.argv[1:])
