import type { Response } from "express";
import * as z from "zod";
import type { Deps } from "../deps.ts";
import { type Operation, operation, type Routes } from "../http/operation.ts";
import { latestRelease, release, toLatest, toRelease } from "./release.ts";
import {
	freshSeconds,
	staleSeconds,
	staleWhileRevalidate,
} from "./stale-while-revalidate.ts";
import { fetchNewest, fetchReleases } from "./upstream.ts";

/** The number of most recent releases in which to look for a package. */
const searchedMax = 20;

/** Routes of the apps' releases, which are public and not stored. */
export function releaseRoutes({ releaseHost, shop, log }: Deps): Routes {
	const { now } = shop.env;
	const all = staleWhileRevalidate(() => fetchReleases(releaseHost), now);
	const newest = staleWhileRevalidate(
		() => fetchNewest(releaseHost, searchedMax),
		now,
	);

	/** Sends the result of `answer`, or 404 with `nothing` if it is undefined or the host fails. */
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
				summary: "List published builds with assets, newest first",
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
				summary: "Get the newest Android build",
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
