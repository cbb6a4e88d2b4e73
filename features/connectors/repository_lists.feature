Feature: A list of repositories from another program
  Programs that cite repositories keep a list of them. It becomes sources with one command, and comes out again with
  the branches that were found.

  Background:
    Given a corpus without items

  Scenario Outline: The list becomes sources
    Given the file "<file>" holds "<list>"
    When I type "biblicus sources import <file>"
    Then the exit code is 0
    When I type "biblicus sources list --json"
    Then the sources that are printed are
      | name         | url                                      | toolkit      | ref    | doctypes               |
      | mulensmodel  | https://github.com/rpoleski/MulensModel  | MulensModel  | master | notebook examples/*.py |
    When I type "biblicus sources import <file>"
    Then standard output says "0 sources more"
    When I type "biblicus sources export"
    Then standard output says no "␊"
    And standard output says "url: https://github.com/rpoleski/MulensModel"
    And standard output says "branch: master"

    Examples:
      | file             | list |
      | repositories.yml | repositories:\n- url: https://github.com/rpoleski/MulensModel\n  toolkit: MulensModel\n  branch: master\n  doctypes: [{path: examples/*.py, doctype: notebook}] |
      | other.yml        | - repo: rpoleski/MulensModel\n  toolkit: MulensModel\n  default_branch: master\n  doctype_rules: {notebook: [examples/*.py]} |

  Scenario: The branch is found by the sync
    Given a repository "harbour" with the files | path: tide.md | text: The moon pulls the seaweed. |
    And the list "repositories.yml" of the repository "harbour"
    When I type "biblicus sources import repositories.yml --allow-local"
    And I type "biblicus sources sync"
    And I type "biblicus sources export"
    Then standard output says "branch: trunk"

  Scenario Outline: A list that cannot be read
    Given the file "repositories.yml" holds "<list>"
    When I type "biblicus sources import repositories.yml"
    Then the exit code is 5
    And standard error says "<says>"

    Examples:
      | list                                                | says                             |
      | repositories:\n- toolkit: alpha                     | repository 1: it needs a url     |
      | repositories:\n- {url: ada/alpha, colour: blue}     | unknown key "colour"             |
