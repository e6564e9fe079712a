import { expect, test } from "vitest";
import { releaseVersion } from "./release/origin.ts";
import {
	closureOf,
	packagesOfWebApp,
	shipped,
} from "./release/shipped-packages.ts";

test("a release is built from its tag, or with the commit in its version", () => {
	const state = {
		commit: "b49558386858ad82f98954ca5b6091096aac8eeb",
		tags: ["v0.2.0"],
		isChanged: false,
		isUntagged: false,
	};
	expect(releaseVersion("0.2.0", state)).toBe("0.2.0");
	expect(() => releaseVersion("0.3.0", state)).toThrow("isn't tagged v0.3.0");
	expect(() => releaseVersion("0.2.0", { ...state, isChanged: true })).toThrow(
		"Files have changed",
	);
	expect(releaseVersion("0.3.0", { ...state, isUntagged: true })).toBe(
		"0.3.0-gb4955838",
	);
});

test("packages bring those that they need, the nearest of each name", () => {
	const version = "1.0.0";
	const packages = {
		"": { version },
		"node_modules/a": { version, dependencies: { b: "1", "@c/d": "1" } },
		"node_modules/a/node_modules/b": { version, dependencies: { a: "1" } },
		"node_modules/b": { version, dependencies: { e: "1" } },
		"node_modules/@c/d": { version, dependencies: { b: "1", gone: "1" } },
		"node_modules/e": { version },
		"node_modules/f": { version },
	};
	expect(closureOf(packages, ["a"])).toEqual([
		"node_modules/@c/d",
		"node_modules/a",
		"node_modules/a/node_modules/b",
		"node_modules/b",
		"node_modules/e",
	]);
});

test("a release ships what the server runs and the web app carries, and no tools", () => {
	expect(shipped).toContain("node_modules/better-sqlite3");
	expect(packagesOfWebApp()).toEqual(
		expect.arrayContaining([
			"node_modules/@fontsource-variable/instrument-sans",
			"node_modules/react-dom",
			"node_modules/scheduler",
		]),
	);
	const all = [...shipped, ...packagesOfWebApp()].join(" ");
	expect(all).not.toMatch(/vite|electron|typescript|textlint/);
});
