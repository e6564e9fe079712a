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

/** A release as a code host's API returns it (the fields that are used). An unreadable asset is dropped alone. */
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

/** The records that the schema can read: an odd one hides only itself. */
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

/** What `GET /api/latest-release` answers. */
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
 * The newest release that ships an Android package, or the newest of all with no package.
 *
 * @param hosted the newest first
 * @returns undefined where there is nothing published
 */
export function toLatest(
	hosted: HostedRelease[],
): z.infer<typeof latestRelease> | undefined {
	const published = hosted.filter(({ draft }) => !draft);
	const shipping = published.find((one) => packageOf(one) !== undefined);
	const latest = shipping ?? published[0];
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

/** The first package that is not for debugging; where all are, the first. */
function packageOf({ assets }: HostedRelease) {
	const packages = assets.filter(({ name }) => /\.apk$/i.test(name));
	return packages.find(({ name }) => !/debug/i.test(name)) ?? packages[0];
}

const taggedVersion =
	/^(?:(?!v\d)([a-z][a-z0-9]*(?:[-/_][a-z][a-z0-9]*)*)[-/_])?v?(\d[^+]*)/i;

/** A tag: `v<version>+<code>`, with or without a namespace. Desktop builds have no code. */
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

/** The integer after `+` in the tag, else the last build number in brackets in the name. */
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
