import type { Response } from "express";
import * as z from "zod";
import type { Deps } from "../deps.ts";
import { type Operation, operation, type Routes } from "../http/operation.ts";
import { freshSeconds, staleSeconds, staleWhileRevalidate } from "./cache.ts";
import { latestRelease, release, toLatest, toRelease } from "./release.ts";
import { fetchNewest, fetchReleases } from "./upstream.ts";

/** How far back the newest package is looked for. */
const searchedMax = 20;

/** Releases of the apps: public, and nothing of them is stored. */
export function releaseRoutes({ releaseHost, shop, log }: Deps): Routes {
	const { now } = shop.env;
	const all = staleWhileRevalidate(() => fetchReleases(releaseHost), now);
	const newest = staleWhileRevalidate(
		() => fetchNewest(releaseHost, searchedMax),
		now,
	);

	/** Answers with what `answer` makes; without anything, or where the host fails, with `nothing`. */
	function handler<T>(
		load: () => Promise<T>,
		answer: (loaded: T) => object | undefined,
		nothing: object,
	): Operation["handle"] {
		return async ({ response }) => {
			promise(response);
			let made: object | undefined;
			try {
				made = answer(await load());
			} catch (error) {
				log.warn({ err: error }, "The release host failed");
			}
			if (made) response.json(made);
			else response.status(404).json(nothing);
		};
	}

	return {
		"/api/releases": {
			GET: operation({
				summary:
					"The published builds that can be downloaded, the newest first",
				access: "anyone",
				answers: {
					200: z.object({ releases: z.array(release) }),
					404: z.object({ releases: z.array(release).max(0) }),
				},
				handle: handler(
					all,
					(hosted) => ({
						releases: hosted
							.filter(({ draft, assets }) => !draft && assets.length > 0)
							.map(toRelease),
					}),
					{ releases: [] },
				),
			}),
		},

		"/api/latest-release": {
			GET: operation({
				summary: "The newest build for Android",
				access: "anyone",
				answers: {
					200: latestRelease,
					404: z.object({
						version: z.null(),
						downloadUrl: z.null(),
						message: z.string(),
					}),
				},
				handle: handler(newest, toLatest, {
					version: null,
					downloadUrl: null,
					message: "No release available yet",
				}),
			}),
		},
	};
}

function promise(response: Response): void {
	response.set(
		"Cache-Control",
		`s-maxage=${freshSeconds}, stale-while-revalidate=${staleSeconds}`,
	);
}
