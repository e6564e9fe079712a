import { expect, test } from "vitest";
import { placeWindow } from "./window-state.ts";

const main = { workArea: { x: 0, y: 0, width: 1920, height: 1040 } };
const left = { workArea: { x: -1280, y: 0, width: 1280, height: 1024 } };
const kept = {
	x: -1200,
	y: 50,
	width: 1000,
	height: 700,
	isMaximized: false,
	isFullScreen: false,
};
const usual = { width: 1280, height: 800 };

test.each([
	[
		"in its last place",
		kept,
		[main, left],
		{ x: -1200, y: 50, width: 1000, height: 700 },
	],
	["in the usual place where its display is gone", kept, [main], usual],
	["in the usual place the first time", undefined, [main], usual],
	[
		"no larger than its display",
		{ ...kept, x: 100, width: 5000, height: 5000 },
		[main],
		{ x: 100, y: 50, width: 1920, height: 1040 },
	],
	[
		"no smaller than is usable",
		{ ...kept, x: 100, width: 200, height: 1 },
		[main],
		{ x: 100, y: 50, width: 640, height: 480 },
	],
	[
		"in the default place if its title bar can't be reached",
		{ ...kept, x: 100, y: 1035 },
		[main],
		usual,
	],
	[
		"in the default place if only its edge would show",
		{ ...kept, x: 1900 },
		[main],
		usual,
	],
])("a window opens %s", (_what, state, displays, place) => {
	expect(placeWindow(state, displays)).toEqual(place);
});
