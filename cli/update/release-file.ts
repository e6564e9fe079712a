import { execFile } from "node:child_process";
import { createHash } from "node:crypto";
import { createReadStream, existsSync, readFileSync } from "node:fs";
import { mkdir, readlink, rename, rm } from "node:fs/promises";
import { basename, dirname, join } from "node:path";
import { pipeline } from "node:stream/promises";
import { promisify } from "node:util";
import { CommandError } from "../commands/command-error.ts";
import { type Release, runRelease } from "./release.ts";

/**
 * Compares a file with its checksum.
 *
 * @param given the checksum; by default that in `SHA256SUMS` beside the file
 * @throws CommandError
 */
export async function verifyFile(
	file: string,
	given: string | undefined,
): Promise<void> {
	if (!existsSync(file)) throw new CommandError(`There is no file ${file}`);
	const list = join(dirname(file), "SHA256SUMS");
	const expected =
		given ??
		(existsSync(list)
			? sumIn(readFileSync(list, "utf8"), basename(file))
			: undefined);
	if (expected === undefined)
		throw new CommandError(
			`${list} has no checksum of ${basename(file)}; download it too, or give the checksum with --sha256`,
		);
	const sum = createHash("sha256");
	await pipeline(createReadStream(file), sum);
	if (sum.digest("hex") !== expected.toLowerCase())
		throw new CommandError(
			`${file} is not the file of this checksum; download it again`,
		);
}

/** Reads a file's checksum from a list as sha256sum writes it. */
export function sumIn(list: string, name: string): string | undefined {
	for (const line of list.split("\n")) {
		const [, sum, of] = /^([0-9a-f]{64}) [ *](.+)$/i.exec(line.trim()) ?? [];
		if (of === name) return sum;
	}
	return undefined;
}

/**
 * Unpacks a release beside the others.
 *
 * @param home the folder with `current` and `versions`
 * @throws CommandError if it is no release, of another machine, or the current one
 */
export async function unpack(file: string, home: string): Promise<Release> {
	const work = join(home, "versions", `.unpacking-${process.pid}`);
	await rm(work, { recursive: true, force: true });
	await mkdir(work, { recursive: true });
	try {
		await promisify(execFile)("tar", ["-xzf", file, "-C", work]);
		const unpacked = join(work, "counterfoil");
		const version = basename(await readlink(join(unpacked, "current")));
		const found = { version, dir: join(unpacked, "versions", version) };
		if (version === (await currentRelease(home)).version)
			throw new CommandError(`${version} is the current release already`);
		if ((await runRelease(found, ["--version"], "")).trim() !== version)
			throw new Error("it says that it is another version");
		await rename(join(unpacked, "counterfoil"), join(found.dir, "launcher"));
		const dir = join(home, "versions", version);
		// Of an update that failed.
		await rm(dir, { recursive: true, force: true });
		await rename(found.dir, dir);
		return { version, dir };
	} catch (error) {
		if (error instanceof CommandError) throw error;
		throw new CommandError(
			`${file} is not a release that runs on this machine: ${(error as Error).message}`,
		);
	} finally {
		await rm(work, { recursive: true, force: true });
	}
}

export async function currentRelease(home: string): Promise<Release> {
	const target = await readlink(join(home, "current"));
	return { version: basename(target), dir: join(home, target) };
}
