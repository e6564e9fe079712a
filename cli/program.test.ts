import { execFileSync, spawn } from "node:child_process";
import { once } from "node:events";
import { mkdirSync, writeFileSync } from "node:fs";
import { join } from "node:path";
import { text } from "node:stream/consumers";
import type { Command } from "commander";
import { describe, expect, test, vi } from "vitest";
import counterfoil from "../package.json" with { type: "json" };
import { testDir } from "../sync/testing/shop.ts";
import { reportFailure } from "./exit.ts";
import { everyCommand, fullName, openProgram } from "./program.ts";
import { testCommand } from "./testing/command.ts";

const main = join(import.meta.dirname, "main.js");
const commands = [...everyCommand(openProgram())];
const doing = commands.filter((command) => command.commands.length === 0);

function helpOf(command: Command): string {
	let help = "";
	command.configureOutput({
		writeOut: (text) => {
			help += text;
		},
	});
	command.outputHelp();
	return help;
}

describe("each command", () => {
	test("the program has commands to check", () => {
		expect(doing.length).toBeGreaterThan(10);
	});

	test.each(commands.map((command) => [fullName(command), command] as const))(
		"%s describes itself, its options and its arguments",
		(_name, command) => {
			expect(command.description()).not.toBe("");
			for (const { flags, description } of command.options)
				expect(`${flags}: ${description}`).toMatch(/: ./);
			for (const argument of command.registeredArguments)
				expect(`${argument.name()}: ${argument.description}`).toMatch(/: ./);
		},
	);

	test.each(doing.map((command) => [fullName(command), command] as const))(
		"%s has an example that uses only existing options",
		(name, command) => {
			const [, examples = ""] = helpOf(command).split(/\nExamples?:\n/);
			const lines = examples.split("\n").filter((line) => line.trim() !== "");
			expect(lines).not.toEqual([]);
			for (const line of lines) {
				expect(line).toContain(name);
				for (const [flag] of line.matchAll(/(?<= )--[\w-]+/g))
					expect(command.options.map(({ long }) => long)).toContain(flag);
			}
		},
	);
});

test("help prints the exit codes, and --version the version, both without colour", async () => {
	const run = testCommand({ env: { FORCE_COLOR: "1" } });
	const help = await run(["--help"]);
	expect(help).toMatchObject({ status: 0, err: "" });
	expect(help.out).toContain("0 done, 1 refused or failed, 2 wrong usage, 78");
	expect(help.out).not.toContain("\x1b");
	expect(await run(["--version"])).toMatchObject({
		status: 0,
		out: `${counterfoil.version}\n`,
	});
});

test("a command doesn't load the server's modules or writers for other file formats", async () => {
	// Prints the URL of each imported module.
	const spy = `import { registerHooks } from "node:module";
		registerHooks({ load(url, context, next) { console.error(url); return next(url, context); } });`;
	const child = spawn(process.execPath, [
		...["--import", `data:text/javascript,${encodeURIComponent(spy)}`],
		...[main, "--version"],
	]);
	const loaded = await text(child.stderr);
	expect(loaded).toContain("/cli/commands/serve.ts");
	expect(loaded).not.toMatch(
		/server\/start\.ts|node_modules\/(express|undici|hucre)\//,
	);
});

test("wrong usage prints one line that points to --help and exits with 2", async () => {
	const run = testCommand();
	expect(await run(["usr"])).toMatchObject({
		status: 2,
		out: "",
		err: `error: unknown command 'usr' (Did you mean user?); see "counterfoil --help"\n`,
	});
	expect(await run(["user", "list", "--colour"])).toMatchObject({
		status: 2,
		err: expect.stringMatching(
			/^.*'--colour'.*"counterfoil user list --help".*\n$/,
		),
	});
	expect((await run(["user"])).status).toBe(2);
});

test("wrong settings exit with 78", async () => {
	const run = testCommand({ env: { PORT: "many" } });
	expect(await run(["admin", "list"])).toMatchObject({
		status: 78,
		err: expect.stringMatching(/^PORT: .*\n$/),
	});
});

test("an error of the system or the database prints one line", async () => {
	const dataDir = testDir();
	writeFileSync(join(dataDir, "counterfoil.db"), "not a database".repeat(99));
	const run = testCommand({ dataDir });
	expect(await run(["user", "list"])).toMatchObject({
		status: 1,
		out: "",
		err: expect.stringMatching(/^.*not a database.*\n$/),
	});
	const csv = join(testDir(), "a.csv");
	mkdirSync(csv);
	expect(await run(["import", "products", csv])).toMatchObject({
		status: 1,
		err: expect.stringMatching(/^.+\n$/),
	});
});

test("a bug in the program is reported as one, with its stack", () => {
	const said = vi.spyOn(console, "error").mockImplementation(() => {});
	const fault = new TypeError("x is not a function");
	expect(reportFailure(fault)).toBe(1);
	expect(said).toHaveBeenCalledWith(
		expect.stringContaining("a bug in Counterfoil"),
		fault,
	);
	said.mockRestore();
});

test("a command whose reader has gone exits silently with a status other than 0", async () => {
	const child = spawn(process.execPath, [main, "--help"], {
		env: { PATH: process.env.PATH },
	});
	child.stdout.destroy();
	const err = text(child.stderr);
	await once(child, "exit");
	expect(child.exitCode).toBe(141);
	expect(await err).toBe("");
	// Run through a shell, as people do.
	const piped = execFileSync(
		"bash",
		[
			"-c",
			`${process.execPath} ${main} --help | head -n 1; exit "\${PIPESTATUS[1]}"`,
		],
		{ encoding: "utf8" },
	);
	expect(piped).toBe("Usage: counterfoil [options] [command]\n");
});

test.each([
	["> /dev/full", /^Can't write to standard output: ENOSPC: [^\n]+\n$/],
	["> /dev/full 2>&1", /^$/],
])(
	"a command whose output goes to a full disk says so in one line: %s",
	async (to, said) => {
		const child = spawn("bash", [
			"-c",
			`${process.execPath} ${main} --help ${to}`,
		]);
		const err = text(child.stderr);
		await once(child, "exit");
		expect(await err).toMatch(said);
		expect(child.exitCode).toBe(1);
	},
);
