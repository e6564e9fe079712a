import * as z from "zod";

/** A release as a code host's API tells it (the fields that are used). */
export const hostedRelease = z.object({
	tag_name: z.string(),
	name: z.string().nullish(),
	body: z.string().nullish(),
	draft: z.boolean().default(false),
	prerelease: z.boolean().default(false),
	created_at: z.string().nullish(),
	published_at: z.string().nullish(),
	html_url: z.string().nullish(),
	assets: z
		.array(
			z.object({
				name: z.string(),
				size: z.int(),
				browser_download_url: z.string(),
			}),
		)
		.default([]),
});
export type HostedRelease = z.output<typeof hostedRelease>;

/** Business API, "Release". */
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

/** Business API, "GET /api/latest-release". */
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
 * The newest release that ships an Android package, or the newest of all with no package (business API,
 * "GET /api/latest-release").
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

/**
 * Business API, "Versioning": `v<version>+<code>`, or with the namespace of another family, `desktop-v<version>`. Only
 * the family without a namespace, Android's, counts its builds.
 */
export function versionOf({
	tag_name: tag,
	name,
}: Pick<HostedRelease, "tag_name" | "name">): {
	version: string | null;
	versionCode: number | null;
} {
	const [, namespace, version] = taggedVersion.exec(tag) ?? [];
	const code =
		/\+(\d+)$/.exec(tag)?.[1] ?? /\((?:build )?(\d+)\)/i.exec(name ?? "")?.[1];
	return {
		version: version ?? null,
		versionCode: namespace === undefined && code ? Number(code) || null : null,
	};
}

function toMoment(value: string | null | undefined): string | null {
	const ms = Date.parse(value ?? "");
	return Number.isNaN(ms) ? null : new Date(ms).toISOString();
}
