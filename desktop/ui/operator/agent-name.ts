const browsers: readonly [name: string, pattern: RegExp][] = [
	["Edge", /\bEdgA?\/(\d+)/],
	["Samsung Internet", /\bSamsungBrowser\/(\d+)/],
	["Opera", /\bOPR\/(\d+)/],
	["Firefox", /\b(?:Firefox|FxiOS)\/(\d+)/],
	["Chrome", /\b(?:Headless)?(?:Chrome|CriOS)\/(\d+)/],
	["Safari", /\bVersion\/(\d+).*\bSafari\b/],
];
const systems: readonly [name: string, pattern: RegExp][] = [
	["Android", /\bAndroid\b/],
	["iPhone", /\biPhone\b/],
	["iPad", /\biPad\b/],
	["Windows", /\bWindows\b/],
	["macOS", /\bMac OS X\b/],
	["Linux", /\bLinux\b/],
];

/** What a person calls the browser of a header `User-Agent`, as `Firefox 140, Android`; other programs' own names stay. */
export function agentName(agent: string): string {
	for (const [browser, pattern] of browsers) {
		const version = pattern.exec(agent)?.[1];
		if (version === undefined) continue;
		const system = systems.find(([, pattern]) => pattern.test(agent))?.[0];
		return [`${browser} ${version}`, system].filter(Boolean).join(", ");
	}
	return agent.slice(0, 40);
}
