import { execFileSync, spawn, spawnSync } from "node:child_process";
import {
	existsSync,
	globSync,
	mkdirSync,
	mkdtempSync,
	readFileSync,
	rmSync,
	symlinkSync,
} from "node:fs";
import { tmpdir } from "node:os";
import { join } from "node:path";
import {
	afterAll,
	beforeAll,
	describe,
	expect,
	onTestFinished,
	test,
} from "vitest";
import { end, whereabouts } from "../../server/testing/process.ts";
import { ownPort } from "../../sync/testing/own-port.ts";
import { root } from "./release/shipped-packages.ts";

/*
 * The last commit is released twice, from clones, and everything in a release is installed and tried in a clean folder.
 */

let dir: string;
let first: string;
let second: string;

/** @returns the release's directory */
function buildIn(name: string, env: NodeJS.ProcessEnv): string {
	const clone = join(dir, name);
	execFileSync("git", ["clone", "--quiet", root, clone]);
	symlinkSync(join(root, "node_modules"), join(clone, "node_modules"));
	const release = join(clone, "cli/dev/release.ts");
	execFileSync(
		"sh",
		["-c", 'umask "$1"; shift; exec "$@"', "sh", env.UMASK ?? "022"].concat(
			...[process.execPath, release, "--untagged"],
		),
		{ cwd: clone, env: { ...process.env, ...env }, stdio: "inherit" },
	);
	return join(clone, "release");
}

beforeAll(() => {
	dir = mkdtempSync(join(tmpdir(), "counterfoil-releases-"));
	first = buildIn("one", {});
	second = buildIn("another folder", {
		...{ UMASK: "077", TZ: "Africa/Nairobi", LC_ALL: "C.UTF-8" },
	});
}, 600_000);
afterAll(() => rmSync(dir, { recursive: true, force: true }));

const fileOf = (ending: string) =>
	globSync(join(first, `*${ending}`)).at(0) ?? "";
const versionOf = (file: string) =>
	/counterfoil-(\d+\.\d+\.\d+-g[0-9a-f]{8})/.exec(file)?.[1] ?? "";

/** Makes an empty folder, beside which there is no other package. */
function cleanFolder(): string {
	const clean = mkdtempSync(join(tmpdir(), "counterfoil-clean-"));
	onTestFinished(() => rmSync(clean, { recursive: true, force: true }));
	return clean;
}

/** Runs `serve` in a folder, with an empty `DATA_DIR`, until the test ends, and expects it to be a whole shop. */
async function expectShop(
	command: string[],
	cwd: string,
	{ PATH = "", PORT = "0" }: { PATH?: string; PORT?: string },
): Promise<string> {
	const [program = "", ...args] = command;
	const child = spawn(program, [...args, "serve"], {
		cwd,
		env: { PATH, PORT, LOG_LEVEL: "error", DATA_DIR: join(cwd, "data") },
		stdio: ["ignore", "pipe", "inherit"],
	});
	onTestFinished(() => end(child, "SIGTERM"));
	const url = await whereabouts(child);
	const ask = async (path: string, body?: object, token = "") => {
		const response = await fetch(new URL(path, url), {
			method: body ? "POST" : "GET",
			headers: {
				"content-type": "application/json",
				...(token && { authorization: `Bearer ${token}` }),
			},
			...(body && { body: JSON.stringify(body) }),
		});
		const text = await response.text();
		return { status: response.status, text };
	};
	expect(JSON.parse((await ask("/readyz")).text)).toMatchObject({
		ok: true,
		version: versionOf(fileOf(".tgz")),
	});
	const page = await ask("/");
	expect(page.text).toContain('<div id="app">');
	const [, script = ""] = /src="(\/assets\/[^"]+\.js)"/.exec(page.text) ?? [];
	expect(await ask(script)).toMatchObject({ status: 200 });
	const account = { email: "njeri@example.com", password: "correct horse" };
	const person = { name: "Njeri", businessName: "Duka la Njeri" };
	expect(
		await ask("/api/auth/register", { ...account, ...person }),
	).toMatchObject({ status: 201 });
	const { token } = JSON.parse(
		(await ask("/api/auth/mobile-login", account)).text,
	);
	const items = [{ name: "Milk 500 ml", quantity: 2, price: 65, cost: 58 }];
	const sale = await ask("/api/sales", { items }, token);
	expect(sale).toMatchObject({ status: 201 });
	expect(JSON.parse(sale.text)).toMatchObject({ total: 130 });
	return new URL(url ?? "").port;
}

function isReachable(): boolean {
	return spawnSync("npm", ["ping"], { timeout: 20_000 }).status === 0;
}
function podman(...args: string[]): void {
	execFileSync("podman", args);
}

function hasBaseImage(): boolean {
	const steps = readFileSync(join(root, ".container/Containerfile"), "utf8");
	const [, base = ""] = /^FROM (.+)$/m.exec(steps) ?? [];
	return spawnSync("podman", ["image", "exists", base]).status === 0;
}

const oldNode = ["/usr/bin/node", "/usr/local/bin/node"].find((file) =>
	/^v(1\d|20)\./.test(spawnSync(file, ["-v"]).stdout?.toString() ?? ""),
);
const emulator = "/usr/bin/qemu-aarch64";
const emulated = "/usr/aarch64-linux-gnu";

describe("a release", () => {
	test("two builds in different folders are equal, byte by byte", () => {
		const sums = readFileSync(join(first, "SHA256SUMS"), "utf8");
		expect(sums.trim().split("\n").length).toBeGreaterThanOrEqual(2);
		expect(readFileSync(join(second, "SHA256SUMS"), "utf8")).toBe(sums);
		execFileSync("sha256sum", ["--check", "--quiet", "SHA256SUMS"], {
			cwd: second,
		});
	});

	test("the bill of materials names what the server, the web app and Node bring", () => {
		const bill = JSON.parse(readFileSync(fileOf(".cdx.json"), "utf8"));
		const names = bill.components.map((part: { name: string }) => part.name);
		for (const name of ["better-sqlite3", "react", "node"])
			expect(names).toContain(name);
		expect(names).not.toContain("vitest");
		expect(bill.metadata.component.name).toBe("counterfoil");
	});

	test.skipIf(!isReachable())(
		"the npm package installs into an empty folder and serves a shop (skipped without a registry)",
		async () => {
			const folder = cleanFolder();
			execFileSync("npm", ["install", "--no-audit", fileOf(".tgz")], {
				cwd: folder,
			});
			const { PATH } = process.env;
			await expectShop(["npx", "--no-install", "counterfoil"], folder, {
				PATH,
			});
			expect(
				globSync("node_modules/counterfoil/**/*.ts", { cwd: folder }),
			).toEqual([]);
			if (oldNode === undefined) return;
			const refused = spawnSync(oldNode, ["node_modules/.bin/counterfoil"], {
				cwd: folder,
				encoding: "utf8",
			});
			expect(refused.stderr).toMatch(/^Counterfoil needs Node .*\n$/);
			expect(refused.status).toBe(1);
		},
	);

	test.skipIf(process.platform !== "linux")(
		"the tarball runs where there is neither npm nor Node (skipped on other systems)",
		async (context) => {
			const file = fileOf(`-linux-${process.arch}.tar.gz`);
			if (!file) context.skip("npm could not fetch Node");
			const folder = cleanFolder();
			execFileSync("tar", ["-xzf", file], { cwd: folder });
			const bin = join(folder, "bin");
			mkdirSync(bin);
			for (const tool of ["sh", "dirname", "readlink"])
				symlinkSync(`/usr/bin/${tool}`, join(bin, tool));
			const PORT = await expectShop(["./counterfoil/counterfoil"], folder, {
				PATH: bin,
			});
			const steps = readFileSync(fileOf("Containerfile"), "utf8");
			const [health = [], [entry = ""] = []] = [
				...steps.matchAll(/^(?:HEALTHCHECK CMD|ENTRYPOINT) (.*)$/gm),
			].map(([, list]): string[] => JSON.parse(list as string));
			expect(existsSync(entry.replace("/opt", folder))).toBe(true);
			const [node = "", ...args] = health;
			const checkHealth = (port: string) =>
				spawnSync(node.replace("/opt", folder), args, { env: { PORT: port } })
					.status;
			expect([checkHealth(PORT), checkHealth("1")]).toEqual([0, 1]);
			const unit = readFileSync(
				join(folder, "counterfoil/current/counterfoil.service"),
				"utf8",
			);
			expect(unit).toContain(
				"ExecStart=/srv/shop/counterfoil/counterfoil serve\n",
			);
		},
	);

	test.skipIf(!hasBaseImage())(
		"the container file builds, and its container serves a healthy shop (skipped without podman and the base image)",
		async (context) => {
			if (!fileOf(`-linux-${process.arch}.tar.gz`))
				context.skip("npm could not fetch Node");
			const name = `counterfoil-test-${process.pid}`;
			podman(
				...["build", "--quiet", "--pull=never", "--network=none"],
				"--format=docker",
				...[`--build-arg=ARCH=${process.arch}`, `--tag=${name}`, first],
			);
			onTestFinished(() => podman("image", "rm", "--force", name));
			const { PATH } = process.env;
			// Podman's own timer needs systemd.
			const run = ["podman", "run", "--rm", "--health-interval=disable"];
			const shop = ["--network=host", "--env=PORT", `--name=${name}`, name];
			await expectShop([...run, ...shop], cleanFolder(), {
				...{ PATH, PORT: String(await ownPort()) },
			});
			podman("healthcheck", "run", name);
		},
	);

	test.skipIf(!existsSync(emulator) || !existsSync(emulated))(
		"the tarball for arm64 runs on an emulator (skipped without qemu-user and its C library)",
		async (context) => {
			const file = fileOf("-linux-arm64.tar.gz");
			if (!file) context.skip("npm could not fetch Node");
			const folder = cleanFolder();
			execFileSync("tar", ["-xzf", file], { cwd: folder });
			const current = join(folder, "counterfoil/current");
			const node = [emulator, "-L", emulated, join(current, "node")];
			await expectShop([...node, join(current, "cli/main.js")], folder, {});
		},
	);
});
