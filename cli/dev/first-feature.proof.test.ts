import { execFileSync, spawn } from "node:child_process";
import { once } from "node:events";
import { appendFileSync, readFileSync } from "node:fs";
import { join } from "node:path";
import { createInterface } from "node:readline";
import { expect, onTestFinished, test } from "vitest";
import { openCopy, stepsOf } from "./testing/walk-through.ts";

/** Tests that the walk-through doesn't name, and that hold all entities, mutations and operations to their rules. */
const furtherTests = [
	...["sync/shop", "sync/feed/digest", "sync/replica/connect", "sync/store"],
	...["sync/rows", "sync/simulation/every-statement", "server/openapi"],
	...["sync/simulation/simulation", "server/http/scope", "server/http/errors"],
	...["server/proof/attacks", "server/proof/model", "server/proof/fuzz"],
	...["server/operations/archive", "server/sync", "cli/dev/docs"],
	...["cli/dev/tidy", "desktop/ui/pages", "desktop/ui/accessibility"],
];

test("docs/first-feature.md, followed word by word, ends with a server that shows couriers", async () => {
	const guide = join(import.meta.dirname, "../../docs/first-feature.md");
	const copy = openCopy();
	// The copy stands for the clone.
	const isDone = (command: string) => /^(git clone|npm ci)\b/.test(command);
	execFileSync("git", ["init", "--quiet"], { cwd: copy.dir });
	// Here it is a link.
	appendFileSync(join(copy.dir, ".git/info/exclude"), "node_modules\n");
	for (const step of stepsOf(readFileSync(guide, "utf8")))
		if (!("command" in step)) copy.change(step);
		else if (step.command === "npm start") await expectCouriers(copy);
		else if (!isDone(step.command)) await copy.run(step.command);
	await copy.run(`npx vitest run ${furtherTests.join(" ")}`);
});

async function expectCouriers({ dir, env }: ReturnType<typeof openCopy>) {
	const started = spawn("npm", ["start"], {
		cwd: dir,
		env: { ...env, PORT: "0" },
		stdio: ["ignore", "pipe", "inherit"],
		detached: true,
	});
	let isStopped = false;
	const stop = () => {
		// npm starts the server as another process of its group.
		if (!isStopped) process.kill(-(started.pid as number));
		isStopped = true;
	};
	onTestFinished(stop);
	let url: string | undefined;
	for await (const line of createInterface(started.stdout)) {
		url = /http:\/\/\S+/.exec(line)?.[0];
		if (url) break;
	}
	const { status } = await fetch(new URL("/api/couriers", url));
	expect(status).toBe(401);
	stop();
	await once(started, "exit");
}
