// Search, open at the line, ask. Each command starts `biblicus … --json` without a shell, in the folder of the workspace.
"use strict";
const { execFile } = require("node:child_process");
const path = require("node:path");
const vscode = require("vscode");

const LIMIT = 64 * 1024 * 1024; // bytes of output
const SECONDS = 120;

function folder() {
  const open = vscode.workspace.workspaceFolders;
  if (!open || open.length === 0) throw new Error("Open a folder first.");
  return open[0].uri.fsPath;
}

// The JSON that a command prints; the sentence of its error where it fails. The question stands behind `--`.
function run(command, ...question) {
  const program = vscode.workspace.getConfiguration("biblicus").get("path") || "biblicus";
  return new Promise((resolve, reject) => {
    const options = { cwd: folder(), maxBuffer: LIMIT, timeout: SECONDS * 1000, shell: false };
    execFile(program, [command, "--json", ...(question.length ? ["--", ...question] : [])], options, (error, output, said) => {
      if (!error) return resolve(JSON.parse(output));
      if (error.code === "ENOENT") return reject(new Error(`There is no program ${program}: pip install biblicus-corpus`));
      try {
        const { message, hint } = JSON.parse(said.trim().split("\n").pop()).error;
        reject(new Error(hint ? `${message} Try: ${hint}` : message));
      } catch {
        reject(new Error(said.trim() || String(error.message)));
      }
    });
  });
}

async function pick(title, pieces) {
  const rows = pieces.map((piece) => ({
    label: piece.title || piece.path,
    description: piece.page ? `${piece.path}, page ${piece.page}` : `${piece.path}:${piece.line_start}`,
    detail: (piece.snippet || piece.text).replace(/\s+/g, " ").slice(0, 300),
    piece,
  }));
  const chosen = await vscode.window.showQuickPick(rows, { title, matchOnDetail: true });
  if (!chosen) return;
  const file = vscode.Uri.file(path.join(folder(), chosen.piece.path));
  if (chosen.piece.page) return vscode.commands.executeCommand("vscode.open", file);
  const line = Math.max(chosen.piece.line_start - 1, 0);
  const place = new vscode.Range(line, 0, Math.max(chosen.piece.line_end - 1, line), 0);
  await vscode.window.showTextDocument(file, { selection: place });
}

async function search() {
  const question = await vscode.window.showInputBox({ prompt: "Search the corpus" });
  if (!question) return;
  const { evidence } = await run("query", question);
  if (evidence.length === 0) return vscode.window.showInformationMessage("Nothing found.");
  await pick(question, evidence);
}

async function ask() {
  const question = await vscode.window.showInputBox({ prompt: "Ask for a quoted answer" });
  if (!question) return;
  const answer = await run("answer", question);
  const cited = answer.statements.flatMap((statement) => statement.citations);
  if (cited.length === 0) return vscode.window.showInformationMessage("Nothing answers this.");
  await pick(answer.insufficient ? `Nothing answers this; nearest: ${answer.answer}` : answer.answer, cited);
}

async function reindex() {
  await run("reindex");
  vscode.window.showInformationMessage("The corpus is indexed.");
}

function activate(context) {
  for (const [name, command] of Object.entries({ search, ask, reindex })) {
    const guarded = () => command().catch((error) => vscode.window.showErrorMessage(error.message));
    context.subscriptions.push(vscode.commands.registerCommand(`biblicus.${name}`, guarded));
  }
}

module.exports = { activate };
