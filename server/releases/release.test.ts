import { describe, expect, test } from "vitest";
import { hostedRelease, toLatest, toRelease, versionOf } from "./release.ts";
import { staleWhileRevalidate } from "./stale-while-revalidate.ts";

describe("a tag's version", () => {
	test.each([
		["v1.2.3+45", null, "1.2.3", 45],
		["v1.2.3", null, "1.2.3", null],
		["1.2.3+7", null, "1.2.3", 7],
		["v1.2.3", "Counterfoil 1.2.3 (45)", "1.2.3", 45],
		["v1.2.3", "Counterfoil (build 46)", "1.2.3", 46],
		["v1.2.3+45", "Counterfoil (99)", "1.2.3", 45],
		["v2.0.0-beta.1+8", null, "2.0.0-beta.1", 8],
		["v1.0.0-1+9", null, "1.0.0-1", 9],
		["v2-1", null, "2-1", null],
		["android-v1.2.3+45", null, "1.2.3", 45],
		["mobile-v1.2.3+46", null, "1.2.3", 46],
		["app/v2.0.0+7", null, "2.0.0", 7],
		["android-v1.2.3", "Android 1.2.3 (45)", "1.2.3", 45],
		["desktop/v1.4.0+12", "Desktop (12)", "1.4.0", null],
		["desktop-linux-v1.4.0+12", null, "1.4.0", null],
		["desktopless-v1.4.0+12", null, "1.4.0", 12],
		["v1.2.3+45-hotfix", null, "1.2.3", 45],
		["v1.0.0", "Release (2026) (51)", "1.0.0", 51],
		["v1.0.0", "Version 1.0 (Build #52)", "1.0.0", 52],
		["v1.2.3+99999999999999999999", null, "1.2.3", null],
		["v1.2.3+0", "Counterfoil (5)", "1.2.3", 5],
		["linux-arm64-v1.4.0", null, "1.4.0", null],
		["v2-beta", null, "2-beta", null],
		["v1.2.3+0", null, "1.2.3", null],
		["v1.2.3+abc", null, "1.2.3", null],
		["desktop-v1.4.0", null, "1.4.0", null],
		["desktop-v1.4.0", "Desktop 1.4.0 (12)", "1.4.0", null],
		["desktop-v1.4.0+12", null, "1.4.0", null],
		["nightly", "Nightly (5)", null, 5],
	])(
		"the tag %s with the name %j has version %s and code %s",
		(tag_name, name, version, versionCode) => {
			expect(versionOf({ tag_name, name })).toEqual({ version, versionCode });
		},
	);
});

const asset = (name: string) => ({
	name,
	size: 10,
	browser_download_url: `https://host.example/${name}`,
	download_count: 99,
});
const release = (tag_name: string, names: string[], more: object = {}) =>
	hostedRelease.parse({
		tag_name,
		assets: names.map(asset),
		published_at: "2026-11-01T10:00:00Z",
		html_url: `https://host.example/${tag_name}`,
		body: "Notes",
		...more,
	});

describe("a release", () => {
	test("a release has its assets without download counts", () => {
		expect(
			toRelease(release("v1.0.0+3", ["a.apk"], { prerelease: true, name: "" })),
		).toEqual({
			tag: "v1.0.0+3",
			version: "1.0.0",
			versionCode: 3,
			name: "v1.0.0+3",
			notes: "Notes",
			prerelease: true,
			publishedAt: "2026-11-01T10:00:00.000Z",
			url: "https://host.example/v1.0.0+3",
			assets: [
				{
					name: "a.apk",
					sizeBytes: 10,
					downloadUrl: "https://host.example/a.apk",
				},
			],
		});
		expect(toRelease(hostedRelease.parse({ tag_name: "x" }))).toEqual({
			tag: "x",
			version: null,
			versionCode: null,
			name: "x",
			notes: null,
			prerelease: false,
			publishedAt: null,
			url: null,
			assets: [],
		});
	});
});

describe("the latest release", () => {
	test.each([
		[
			"is the first with an APK",
			[
				release("v3", ["x.zip"]),
				release("v2", ["b.APK"]),
				release("v1", ["a.apk"]),
			],
			"v2",
			"b.APK",
		],
		[
			"is never a draft",
			[release("v3", ["c.apk"], { draft: true }), release("v2", ["b.apk"])],
			"v2",
			"b.apk",
		],
		[
			"may be a prerelease",
			[
				release("v3", ["c.apk"], { prerelease: true }),
				release("v2", ["b.apk"]),
			],
			"v3",
			"c.apk",
		],
		[
			"prefers an APK that is not a debug build",
			[release("v3", ["app-Debug.apk", "app.apk", "z.apk"])],
			"v3",
			"app.apk",
		],
		[
			"uses a debug build if there is no other APK",
			[release("v3", ["x.zip", "app-debug.apk", "b-debug.apk"])],
			"v3",
			"app-debug.apk",
		],
		[
			"is the newest release, without an APK, if none has one",
			[
				release("v4", [], { draft: true }),
				release("v3", ["x.zip"]),
				release("v2", []),
			],
			"v3",
			null,
		],
		[
			"is not one without files where another has some",
			[release("v3", []), release("v2", ["x.zip"])],
			"v2",
			null,
		],
		["may lack files if no release has any", [release("v3", [])], "v3", null],
	])("the latest release %s", (_what, hosted, tag, apkName) => {
		expect(toLatest(hosted)).toMatchObject({
			tag,
			apkName,
			sizeBytes: apkName === null ? null : 10,
			downloadUrl: apkName === null ? null : `https://host.example/${apkName}`,
		});
	});

	test("there is no latest release if nothing is published", () => {
		expect(toLatest([])).toBeUndefined();
		expect(
			toLatest([release("v1", ["a.apk"], { draft: true })]),
		).toBeUndefined();
	});
});

describe("an answer that is kept", () => {
	test("a cached answer is loaded again after the clock was put back", async () => {
		let now = Date.UTC(2026, 10, 29);
		let loads = 0;
		const get = staleWhileRevalidate(
			async () => {
				loads += 1;
				return loads;
			},
			() => now,
		);
		expect(await get()).toBe(1);
		now -= 2 * 24 * 3_600_000;
		expect(await get()).toBe(2);
		expect(await get()).toBe(2);
	});

	test("a cached answer is fresh for five minutes, then stale for one while it reloads, and then callers wait", async () => {
		let now = 0;
		let loads = 0;
		let fails = false;
		const get = staleWhileRevalidate(
			async () => {
				loads += 1;
				if (fails) throw new Error("down");
				return loads;
			},
			() => now,
		);
		expect(await Promise.all([get(), get()])).toEqual([1, 1]);
		now = 299_000;
		expect(await get()).toBe(1);
		now = 301_000;
		expect(await get()).toBe(1);
		await new Promise((resolve) => setImmediate(resolve));
		expect(await get()).toBe(2);
		now = 301_000 + 350_000;
		fails = true;
		expect(await get()).toBe(2);
		await new Promise((resolve) => setImmediate(resolve));
		now += 20_000;
		await expect(get()).rejects.toThrow("down");
		expect(loads).toBe(3);
		fails = false;
		now += 10_000;
		expect(await get()).toBe(4);
	});

	test("a source that fails is asked again after half a minute", async () => {
		let now = Date.UTC(2026, 10, 29);
		let loads = 0;
		const get = staleWhileRevalidate(
			async () => {
				loads += 1;
				throw new Error("down");
			},
			() => now,
		);
		for (const [passedMs, asked] of [
			[0, 1],
			[29_000, 1],
			[1_000, 2],
			[-3_600_000, 3],
		] as const) {
			now += passedMs;
			await expect(Promise.all([get(), get()])).rejects.toThrow("down");
			expect(loads).toBe(asked);
		}
	});
});
