import { expect, test } from "vitest";
import { agentName } from "./agent-name.ts";

test("a browser is called what people call it", () => {
	const webkit = "AppleWebKit/537.36";
	for (const [agent, name] of [
		[
			`Mozilla/5.0 (Linux; Android 10; K) ${webkit} Chrome/140.0.0.0 Mobile Safari/537.36`,
			"Chrome 140, Android",
		],
		[
			`Mozilla/5.0 (Windows NT 10.0; Win64; x64) ${webkit} Chrome/140.0.0.0 Safari/537.36 Edg/140.0.0.0`,
			"Edge 140, Windows",
		],
		[
			"Mozilla/5.0 (X11; Linux x86_64; rv:140.0) Gecko/20100101 Firefox/140.0",
			"Firefox 140, Linux",
		],
		[
			"Mozilla/5.0 (iPhone; CPU iPhone OS 18_0 like Mac OS X) AppleWebKit/605.1.15 Version/18.0 Mobile/15E148 Safari/604.1",
			"Safari 18, iPhone",
		],
		["curl/8.5.0", "curl/8.5.0"],
		["", ""],
	])
		expect(agentName(agent as string)).toBe(name);
});
