import { execFileSync } from "node:child_process";

/** The commit that a release is built from. */
export interface Origin {
	version: string;
	commit: string;
	/** When it was committed, in seconds: the time of everything in the release. */
	seconds: number;
}

/** @throws Error unless the commit is tagged with its version and nothing has changed since; `isUntagged` allows both */
export function readOrigin(
	root: string,
	version: string,
	isUntagged: boolean,
): Origin {
	const git = (...args: string[]) =>
		execFileSync("git", args, { cwd: root, encoding: "utf8" }).trim();
	const commit = git("rev-parse", "HEAD");
	return {
		commit,
		seconds: Number(git("log", "-1", "--format=%ct")),
		version: releaseVersion(version, {
			commit,
			tags: git("tag", "--points-at", "HEAD").split("\n"),
			isChanged: git("status", "--porcelain") !== "",
			isUntagged,
		}),
	};
}

/** @throws Error as `readOrigin` */
export function releaseVersion(
	version: string,
	state: {
		commit: string;
		tags: string[];
		isChanged: boolean;
		isUntagged: boolean;
	},
): string {
	// Semantic Versioning sorts it before the version itself.
	if (state.isUntagged) return `${version}-g${state.commit.slice(0, 8)}`;
	const tag = `v${version}`;
	if (!state.tags.includes(tag))
		throw new Error(
			`This commit isn't tagged ${tag}; check out the tag, or build what is here with --untagged`,
		);
	if (state.isChanged)
		throw new Error(
			"Files have changed since the commit; commit them, or build what is here with --untagged",
		);
	return version;
}
