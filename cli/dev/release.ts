import { execFileSync } from "node:child_process";
import { hash } from "node:crypto";
import {
	chmodSync,
	cpSync,
	globSync,
	mkdirSync,
	mkdtempSync,
	readdirSync,
	readFileSync,
	rmSync,
	statSync,
	writeFileSync,
} from "node:fs";
import { tmpdir } from "node:os";
import { join, resolve } from "node:path";
import { parseArgs } from "node:util";
import { billOf } from "./release/bill.ts";
import { type Origin, readOrigin } from "./release/origin.ts";
import { shrinkwrapOf, toJson, writeProgram } from "./release/program.ts";
import { project, root } from "./release/shipped-packages.ts";
import { packTarball } from "./release/tarball.ts";

/** Builds everything of a release into `outDir`, and prints what was left out. */
function buildRelease(outDir: string, origin: Origin): void {
	const { version } = origin;
	rmSync(outDir, { recursive: true, force: true });
	mkdirSync(outDir, { recursive: true });
	const dir = mkdtempSync(join(tmpdir(), "counterfoil-release-"));
	try {
		const program = join(dir, "program");
		writeProgram(program, origin);
		packForNpm(outDir, program, join(dir, "npm"), origin);
		for (const arch of ["x64", "arm64"] as const) {
			const name = `counterfoil-${version}-linux-${arch}.tar.gz`;
			const work = join(dir, arch);
			const isMade = packTarball(join(outDir, name), {
				...{ program, dir: work, arch, origin },
			});
			if (!isMade)
				console.error(`Skipped ${name}: npm can't fetch Node for it`);
			rmSync(work, { recursive: true, force: true });
		}
	} finally {
		rmSync(dir, { recursive: true, force: true });
	}
	cpSync(join(root, ".container/Containerfile"), join(outDir, "Containerfile"));
	const bill = join(outDir, `counterfoil-${version}.cdx.json`);
	writeFileSync(bill, toJson(billOf(origin)));
	const names = readdirSync(outDir).sort();
	const sums = names.map(
		(name) => `${hash("sha256", readFileSync(join(outDir, name)))}  ${name}\n`,
	);
	writeFileSync(join(outDir, "SHA256SUMS"), sums.join(""));
	for (const name of names) {
		const megabytes = statSync(join(outDir, name)).size / 1e6;
		console.log(`${megabytes.toFixed(1).padStart(6)} MB  ${name}`);
	}
}

/** Packs what `npm install FILE` installs, with the lock file of its packages. */
function packForNpm(
	outDir: string,
	program: string,
	dir: string,
	origin: Origin,
): void {
	cpSync(program, dir, { recursive: true });
	cpSync(join(root, "README.md"), join(dir, "README.md"));
	writeFileSync(join(dir, "npm-shrinkwrap.json"), shrinkwrapOf(origin));
	for (const file of globSync("**/*", { cwd: dir, withFileTypes: true }))
		if (file.isFile()) chmodSync(join(file.parentPath, file.name), 0o644);
	execFileSync(
		"npm",
		["pack", "--silent", `--pack-destination=${outDir}`, dir],
		{ stdio: ["ignore", "ignore", "inherit"] },
	);
}

const { values } = parseArgs({
	options: {
		untagged: { type: "boolean", default: false },
		out: { type: "string", default: join(root, "release") },
	},
});
try {
	const { version } = project;
	buildRelease(resolve(values.out), readOrigin(root, version, values.untagged));
} catch (error) {
	console.error((error as Error).message);
	process.exitCode = 1;
}
