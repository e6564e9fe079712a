import type { Response } from "express";
import {
	freshSeconds,
	staleSeconds,
	staleWhileRevalidate,
} from "../releases/cache.ts";
import { toLatest, toRelease } from "../releases/release.ts";
import { fetchNewest, fetchReleases } from "../releases/upstream.ts";
import type { Deps, Handler, Routes } from "../routes.ts";

/** How far back the newest package is looked for. */
const searchedMax = 20;

/** Business API, "Releases": public, and nothing of them is stored. */
export function releaseRoutes({ releaseHost, shop, log }: Deps): Routes {
	const { now } = shop.env;
	const all = staleWhileRevalidate(() => fetchReleases(releaseHost), now);
	const newest = staleWhileRevalidate(
		() => fetchNewest(releaseHost, searchedMax),
		now,
	);

	/** Answers with what `answer` makes; without anything, or where the host fails, with `nothing`. */
	function get<T>(
		load: () => Promise<T>,
		answer: (loaded: T) => object | undefined,
		nothing: object,
	): Handler {
		return async (_request, response) => {
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
			GET: get(
				all,
				(hosted) => ({
					releases: hosted
						.filter(({ draft, assets }) => !draft && assets.length > 0)
						.map(toRelease),
				}),
				{ releases: [] },
			),
		},

		"/api/latest-release": {
			GET: get(newest, toLatest, {
				version: null,
				downloadUrl: null,
				message: "No release available yet",
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
