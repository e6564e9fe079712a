import * as z from "zod";

const hostedAsset = z.object({
	name: z.string(),
	size: z.int().min(0),
	browser_download_url: z.string(),
});
const optionalText = z.string().nullish().catch(null);
const flag = z
	.boolean()
	.nullish()
	.transform((value) => value ?? false);

/** The fields used of a release in a code host's API. An invalid asset is dropped without its release. */
export const hostedRelease = z.object({
	tag_name: z.string(),
	name: optionalText,
	body: optionalText,
	draft: flag,
	prerelease: flag,
	created_at: optionalText,
	published_at: optionalText,
	html_url: optionalText,
	assets: z
		.array(z.unknown())
		.nullish()
		.transform((assets) => readable(hostedAsset, assets ?? [])),
});
export type HostedRelease = z.output<typeof hostedRelease>;

/** @returns the records that match the schema, dropping the others */
export function readable<S extends z.ZodType>(
	schema: S,
	records: unknown[],
): z.output<S>[] {
	return records.flatMap((record) => {
		const parsed = schema.safeParse(record);
		return parsed.success ? [parsed.data] : [];
	});
}

/** A published version of one of the apps. */
export const release = z
	.object({
		tag: z.string(),
		version: z.string().nullable(),
		versionCode: z.int().nullable(),
		name: z.string().nullable(),
		notes: z.string().nullable(),
		prerelease: z.boolean(),
		publishedAt: z.iso.datetime().nullable(),
		url: z.string().nullable(),
		assets: z.array(
			z.object({
				name: z.string(),
				sizeBytes: z.int(),
				downloadUrl: z.string(),
			}),
		),
	})
	.meta({ id: "Release" });

/** The answer of `GET /api/latest-release`. */
export const latestRelease = z
	.object({
		version: z.string().nullable(),
		versionCode: z.int().nullable(),
		tag: z.string(),
		downloadUrl: z.string().nullable(),
		apkName: z.string().nullable(),
		sizeBytes: z.int().nullable(),
		releaseDate: z.iso.datetime().nullable(),
		releaseUrl: z.string().nullable(),
		notes: z.string().nullable(),
	})
	.meta({ id: "LatestRelease" });

export function toRelease(hosted: HostedRelease): z.infer<typeof release> {
	return {
		tag: hosted.tag_name,
		...versionOf(hosted),
		name: hosted.name || hosted.tag_name,
		notes: hosted.body ?? null,
		prerelease: hosted.prerelease,
		publishedAt: toMoment(hosted.published_at),
		url: hosted.html_url ?? null,
		assets: hosted.assets.map((asset) => ({
			name: asset.name,
			sizeBytes: asset.size,
			downloadUrl: asset.browser_download_url,
		})),
	};
}

/**
 * Picks the newest release with an Android package, or else the newest one with any file, as the list shows no others; or
 * else the newest one.
 *
 * @param hosted releases, newest first
 * @returns undefined if there is none
 */
export function toLatest(
	hosted: HostedRelease[],
): z.infer<typeof latestRelease> | undefined {
	const published = hosted.filter(({ draft }) => !draft);
	const shipping = published.find((one) => packageOf(one) !== undefined);
	const listed = published.find(({ assets }) => assets.length > 0);
	const latest = shipping ?? listed ?? published[0];
	if (!latest) return undefined;
	const apk = packageOf(latest);
	return {
		...versionOf(latest),
		tag: latest.tag_name,
		downloadUrl: apk?.browser_download_url ?? null,
		apkName: apk?.name ?? null,
		sizeBytes: apk?.size ?? null,
		releaseDate: toMoment(latest.published_at ?? latest.created_at),
		releaseUrl: latest.html_url ?? null,
		notes: latest.body ?? null,
	};
}

/** The first APK that is not a debug build, or else the first APK. */
function packageOf({ assets }: HostedRelease) {
	const packages = assets.filter(({ name }) => /\.apk$/i.test(name));
	return packages.find(({ name }) => !/debug/i.test(name)) ?? packages[0];
}

const taggedVersion =
	/^(?:(?!v\d)([a-z][a-z0-9]*(?:[-/_][a-z][a-z0-9]*)*)[-/_])?v?(\d[^+]*)/i;

/** Parses a tag `v<version>+<code>`, with or without a namespace; desktop builds have no code. */
export function versionOf({
	tag_name: tag,
	name,
}: Pick<HostedRelease, "tag_name" | "name">): {
	version: string | null;
	versionCode: number | null;
} {
	const [, namespace, version] = taggedVersion.exec(tag) ?? [];
	const isDesktop = /^desktop(?![a-z0-9])/i.test(namespace ?? "");
	return {
		version: version ?? null,
		versionCode: isDesktop ? null : codeOf(tag, name ?? ""),
	};
}

/** The integer after `+` in the tag, or else the last build number in parentheses in the name. */
function codeOf(tag: string, name: string): number | null {
	const [, tagged] = /\+(\d+)/.exec(tag) ?? [];
	const named = [...name.matchAll(/\((?:build )?#?(\d+)\)/gi)].at(-1)?.[1];
	const codes = [tagged, named].map(Number);
	return codes.find((code) => Number.isSafeInteger(code) && code > 0) ?? null;
}

function toMoment(value: string | null | undefined): string | null {
	const ms = Date.parse(value ?? "");
	return Number.isNaN(ms) ? null : new Date(ms).toISOString();
}
