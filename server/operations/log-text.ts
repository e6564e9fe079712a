interface Line {
	level: number;
	time: string;
	msg?: string;
	err?: { stack?: string; message?: string };
}

const names: Record<number, string> = {
	10: "TRACE",
	20: "DEBUG",
	30: "INFO",
	40: "WARN",
	50: "ERROR",
	60: "FATAL",
};

/** What every line has alike. */
const alike = new Set(["level", "time", "pid", "hostname", "msg", "err"]);

/** Makes a line of JSON readable: the time, the level, the message, the fields, and an error's stack below. */
export function toLogText(json: string): string {
	const line = JSON.parse(json) as Line;
	const { level, time, msg = "", err } = line;
	const fields = Object.entries(line)
		.filter(([name]) => !alike.has(name))
		.map(([name, value]) => `${name}=${toWord(value)}`);
	const name = (names[level] ?? String(level)).padEnd(5);
	const first = [toClock(time), name, msg.replaceAll("\n", " "), ...fields];
	const below = (err?.stack || err?.message || "").split("\n");
	return [first.join(" ").trimEnd(), ...below.filter(Boolean).map(indent)]
		.map((text) => `${text}\n`)
		.join("");
}

function toClock(time: string): string {
	return new Date(time).toTimeString().slice(0, 8);
}

/** A value without quotes if nothing in it could be taken for another field. */
function toWord(value: unknown): string {
	const isPlain = typeof value === "string" && /^[\w.:/@-]+$/.test(value);
	return isPlain ? value : JSON.stringify(value);
}

function indent(text: string): string {
	return `    ${text.trim()}`;
}
