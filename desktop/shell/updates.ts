import type { Logger } from "pino";
import * as z from "zod";
import type { Update } from "../ui/till-shell.ts";

/** Matches desktop releases among all published ones. */
const tagPrefix = "desktop-v";
const answerMs = 10_000;
const bytesMax = 2_000_000;
/** The first check waits until the busy first minute is over. */
const firstMs = 60_000;
const everyMs = 12 * 3_600_000;

/** The fields read from `GET /api/releases`; other versions may have more. */
const releases = z.object({
	releases: z.array(
		z.object({
			tag: z.string(),
			version: z.string().nullable(),
			prerelease: z.boolean(),
			url: z.string().nullable(),
		}),
	),
});

/** @returns the newest published version that is newer than this one */
export function newestUpdate(
	answer: unknown,
	current: string,
): Update | undefined {
	return releases
		.parse(answer)
		.releases.flatMap(({ tag, version, prerelease, url }) =>
			tag.startsWith(tagPrefix) && !prerelease && isPlain(version)
				? [{ version, url: url?.startsWith("https://") ? url : null }]
				: [],
		)
		.filter(({ version }) => compare(version, current) > 0)
		.sort((a, b) => compare(b.version, a.version))[0];
}

function isPlain(version: string | null): version is string {
	return version !== null && /^\d+\.\d+\.\d+$/.test(version);
}

function compare(a: string, b: string): number {
	const [left, right] = [a, b].map((one) => one.split(".").map(Number));
	const at = left?.findIndex((part, i) => part !== right?.[i]) ?? -1;
	return at === -1 ? 0 : (left?.[at] ?? 0) - (right?.[at] ?? 0);
}

export interface UpdateWatch {
	/** The last newer version found. */
	found(): Update | undefined;
	/** Checks now. @throws Error if there is no answer */
	check(): Promise<Update | undefined>;
	stop(): void;
}

interface UpdateWatchOptions {
	current: string;
	/** The server to ask, with headers that it needs; undefined while there is none. */
	place(): { url: string; headers?: Record<string, string> } | undefined;
	onFound(update: Update): void;
	log: Logger;
}

/** Checks for a newer version twice a day and reports it, without a download or an interruption. */
export function watchUpdates({
	current,
	place,
	onFound,
	log,
}: UpdateWatchOptions): UpdateWatch {
	let found: Update | undefined;
	const first = setTimeout(look, firstMs);
	const next = setInterval(look, everyMs);

	async function check(): Promise<Update | undefined> {
		const asked = place();
		if (!asked) throw new Error("The shop is not open yet");
		found = newestUpdate(await askReleases(asked.url, asked.headers), current);
		if (found) onFound(found);
		return found;
	}

	function look(): void {
		check().catch((err) => log.info({ err }, "Couldn't check for updates"));
	}

	return {
		found: () => found,
		check,
		stop() {
			clearTimeout(first);
			clearInterval(next);
		},
	};
}

async function askReleases(
	url: string,
	headers: Record<string, string> = {},
): Promise<unknown> {
	const response = await fetch(new URL("/api/releases", url), {
		headers,
		redirect: "error",
		signal: AbortSignal.timeout(answerMs),
	});
	// The server has published nothing, or has no source of releases.
	if (response.status === 404) return { releases: [] };
	if (!response.ok) throw new Error(`Releases: status ${response.status}`);
	const text = await response.text();
	if (text.length > bytesMax) throw new Error("Releases: response too long");
	return JSON.parse(text);
}
