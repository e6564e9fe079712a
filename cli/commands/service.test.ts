import { spawnSync } from "node:child_process";
import { existsSync, mkdirSync, writeFileSync } from "node:fs";
import { userInfo } from "node:os";
import { join } from "node:path";
import { expect, test } from "vitest";
import { testDir } from "../../sync/testing/shop.ts";
import { testCommand } from "../testing/command.ts";

const analyze = "/usr/bin/systemd-analyze";

test("a unit runs this program on this data as this user", async () => {
	const dataDir = join(testDir(), `a shop's "50%" $HOME`);
	mkdirSync(dataDir);
	const run = testCommand({
		dataDir,
		env: { PORT: "80", OPENAI_API_KEY: "sk-secret" },
	});
	const { status, out } = await run(["service", "print"]);
	expect(status).toBe(0);
	expect(out).toMatch(/^ExecStart="\/.+node" "\/.+main\.js" serve$/m);
	expect(out).toContain(`User=${userInfo().username}\n`);
	expect(out).toContain('Environment="PORT=80"\n');
	expect(out).toContain("AmbientCapabilities=CAP_NET_BIND_SERVICE\n");
	expect(out).toContain(`shop's \\"50%%\\" $HOME"\n`);
	// Without its disk it would be an empty shop.
	expect(out).toMatch(/^RequiresMountsFor=".+shop's .+"$/m);
	expect(out).toMatch(/^After=.*postgresql\.service$/m);
	expect(out).not.toContain("sk-secret");
	expect(
		(await testCommand({ dataDir })(["service", "print"])).out,
	).not.toContain("CAP_NET_BIND_SERVICE");
	expect(
		await testCommand({ dataDir: "/none/such" })(["service", "print"]),
	).toMatchObject({
		status: 1,
		out: "",
		err: expect.stringContaining("There is no directory /none/such"),
	});
});

test.skipIf(!existsSync(analyze))(
	"systemd finds nothing wrong with the unit (skipped where systemd is not there)",
	async () => {
		const dataDir = join(testDir(), "a shop's data");
		mkdirSync(dataDir);
		const { out } = await testCommand({ dataDir })(["service", "print"]);
		const file = join(testDir(), "counterfoil.service");
		const verify = (unit: string) => {
			writeFileSync(file, unit);
			return spawnSync(analyze, ["verify", file], { encoding: "utf8" });
		};
		expect(verify(out)).toMatchObject({ status: 0, stdout: "", stderr: "" });
		// It does look.
		expect(
			verify(out.replace("ProtectClock=yes", "ProtectClock=perhaps")).stderr,
		).toContain("perhaps");
	},
);
