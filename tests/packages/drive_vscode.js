// Runs the extension of VS Code with a stand-in for its API: the first result is chosen, what is shown is printed.
"use strict";
const Module = require("node:module");
const [extension, folder, program, command, question] = process.argv.slice(2);
const told = [];
const commands = {};
const vscode = {
  workspace: {
    workspaceFolders: [{ uri: { fsPath: folder } }],
    getConfiguration: () => ({ get: () => program }),
  },
  window: {
    showInputBox: async () => question,
    showQuickPick: async (rows, { title }) => (told.push({ title, rows: rows.map((row) => row.description) }), rows[0]),
    showTextDocument: async (file, { selection }) => told.push({ opened: file, line: selection.line }),
    showInformationMessage: (text) => told.push({ info: text }),
    showErrorMessage: (text) => told.push({ error: text }),
  },
  commands: {
    registerCommand: (name, run) => ((commands[name] = run), {}),
    executeCommand: async (name, file) => told.push({ opened: file }),
  },
  Uri: { file: (path) => path },
  Range: function (line) { this.line = line; },
};
const load = Module._load;
Module._load = (name, ...rest) => (name === "vscode" ? vscode : load(name, ...rest));
require(extension).activate({ subscriptions: [] });
commands[command]().then(() => console.log(JSON.stringify(told)));
