import * as z from "zod";
import { type HostedRelease, hostedRelease, readable } from "./release.ts";

/** Where the releases are published. */
export interface ReleaseHost {
	/** `https://api.github.com` */
	apiUrl: string;
	/** `owner/name`; without it there is nothing to serve. */
	repo: string | undefined;
}

const timeoutMs = 5_000;
const pageSize = 100;
/** Far more than anyone publishes; an upstream that never ends is cut off. */
const pagesMax = 20;

/** All releases, the newest first. @throws where the host does not answer as it should, within seconds */
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

/** The most recent releases. @throws like `fetchReleases` */
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
	// The host's own word where it gives one: its pages may be smaller than was asked for.
	const hasMore =
		link === null ? records.length >= size : /rel="?next"?/.test(link);
	return { records, hasMore };
}
