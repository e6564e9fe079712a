import * as z from "zod";
import { type HostedRelease, hostedRelease, readable } from "./release.ts";

/** The code host that publishes the releases. */
export interface ReleaseHost {
	/** `https://api.github.com` */
	apiUrl: string;
	/** `owner/name`; undefined means that there are no releases. */
	repo: string | undefined;
}

const timeoutMs = 5_000;
const pageSize = 100;
/** More pages than anyone publishes, to stop at a host that never ends. */
const pagesMax = 20;

/** Fetches all releases, newest first. @throws if the host is slow or its answer is invalid */
export async function fetchReleases(
	host: ReleaseHost,
): Promise<HostedRelease[]> {
	const signal = AbortSignal.timeout(timeoutMs);
	const releases: HostedRelease[] = [];
	for (let page = 1; page <= pagesMax; page += 1) {
		const { records, hasMore } = await fetchPage(host, page, pageSize, signal);
		releases.push(...readable(hostedRelease, records));
		if (!hasMore) break;
	}
	return releases;
}

/** Fetches the most recent releases. @throws like `fetchReleases` */
export async function fetchNewest(
	host: ReleaseHost,
	count: number,
): Promise<HostedRelease[]> {
	const signal = AbortSignal.timeout(timeoutMs);
	const { records } = await fetchPage(host, 1, count, signal);
	return readable(hostedRelease, records.slice(0, count));
}

async function fetchPage(
	{ apiUrl, repo }: ReleaseHost,
	page: number,
	size: number,
	signal: AbortSignal,
): Promise<{ records: unknown[]; hasMore: boolean }> {
	if (repo === undefined) throw new Error("RELEASES_REPO is not set");
	const base = apiUrl.replace(/(?<!\/)\/+$/, "");
	const url = `${base}/repos/${repo}/releases?per_page=${size}&page=${page}`;
	const response = await fetch(url, {
		signal,
		headers: {
			accept: "application/vnd.github+json",
			"user-agent": "counterfoil",
		},
	});
	if (!response.ok)
		throw new Error(`The release host answered ${response.status}`);
	const records = z.array(z.unknown()).parse(await response.json());
	const link = response.headers.get("link");
	// Prefer the Link header: the host's pages may be smaller than requested.
	const hasMore =
		link === null ? records.length >= size : /rel="?next"?/.test(link);
	return { records, hasMore };
}
