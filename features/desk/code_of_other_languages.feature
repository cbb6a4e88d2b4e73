Feature: Source code of other languages is found by what it defines, too
  What a module wraps itself in is looked into; what only declares is a piece of its own where a comment says what it is
  for.

  Scenario Outline: A definition is one piece with the comment above it
    Given a corpus with the items | path: <path> | text: <text> |
    And a sealed run "first"
    When "What does <name> do?" is asked
    Then the evidence starts with | path: <path> | heading: <heading> | line_start: <first> | line_end: <last> |
    When the answerer "quote" is asked "What does <name> do?"
    Then the answer begins with "Hauls a boat up the slip."
    And every citation verifies

    Examples:
      | path     | name   | heading         | first | last | text |
      | slip.js  | haul   | slip.haul       | 2     | 5    | (function () {\n  // Hauls a boat up the slip.\n  function haul(boat) {\n    return winch(boat);\n  }\n\n  function lower(boat) {\n    return haul(boat);\n  }\n})();\n |
      | slip.ts  | haul   | slip.Slip.haul  | 2     | 3    | declare class Slip {\n  /** Hauls a boat up the slip. */\n  haul(boat: Boat): void;\n  lower(boat: Boat): void;\n}\n |
      | slip.go  | Haul   | slip.Slip.Haul  | 5     | 8    | package slip\n\ntype Slip struct{}\n\n// Hauls a boat up the slip.\nfunc (s *Slip) Haul(boat Boat) {\n\ts.winch(boat)\n}\n\nfunc (s *Slip) Lower(boat Boat) { s.Haul(boat) }\n |
      | slip.h   | haul   | slip.haul       | 3     | 4    | #ifndef SLIP_H\n#define SLIP_H\n/* Hauls a boat up the slip. */\nint haul(struct boat *boat);\nint lower(struct boat *boat);\n#endif\n |
      | slip.rb  | haul   | slip.Slip.haul  | 2     | 5    | class Slip\n  # Hauls a boat up the slip.\n  def haul(boat)\n    winch(boat)\n  end\n\n  def lower(boat)\n    haul(boat)\n  end\nend\n |
      | slip.php | haul   | slip.Slip.haul  | 4     | 7    | <?php\nclass Slip {\n  public $boats;\n  /** Hauls a boat up the slip. */\n  public function haul($boat) {\n    return $this->winch($boat);\n  }\n  public function lower($boat) { $this->haul($boat); }\n}\n |
      | Slip.cs  | Haul   | Slip.Slip.Haul  | 2     | 5    | class Slip {\n  /// Hauls a boat up the slip.\n  public void Haul(Boat boat) {\n    Winch(boat);\n  }\n  public void Lower(Boat boat) => Haul(boat);\n}\n |
      | slip.sh  | haul   | slip.haul       | 4     | 8    | #!/bin/sh\nset -e\n\n# Hauls a boat up the slip.\nhaul() {\n  winch "$1"\n}\nhaul "$1"\n |
