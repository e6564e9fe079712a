import { useBusiness } from "./shop/business.tsx";
import { localeOf, useWords } from "./words/index.ts";

/** Formats amounts, quantities and times by the shop's currency and the user's language. */
export function useFormat() {
	const business = useBusiness();
	const { language } = useWords();
	return formatsOf(
		localeOf(language),
		business?.currency ?? "KES",
		business?.timeZone,
	);
}

type Formats = ReturnType<typeof makeFormats>;
const made = new Map<string, Formats>();

function formatsOf(language: string, currency: string, timeZone?: string) {
	const key = `${language} ${currency} ${timeZone}`;
	let formats = made.get(key);
	if (!formats) {
		formats = makeFormats(language, currency, timeZone);
		made.set(key, formats);
	}
	return formats;
}

function makeFormats(language: string, currency: string, timeZone?: string) {
	return {
		currency,
		...amountsIn(language, currency),
		...quantitiesIn(language),
		...timesIn(language, timeZone),
	};
}

function amountsIn(language: string, currency: string) {
	const options = {
		style: "currency",
		currency,
		currencyDisplay: "code",
	} as const;
	const money = new Intl.NumberFormat(language, options);
	const whole = new Intl.NumberFormat(language, {
		...options,
		minimumFractionDigits: 0,
		maximumFractionDigits: 0,
	});
	const digits = money.resolvedOptions().maximumFractionDigits ?? 2;
	const [wholeFigure, exactFigure] = [0, digits].map(
		(fraction) =>
			new Intl.NumberFormat(language, {
				minimumFractionDigits: fraction,
				maximumFractionDigits: fraction,
			}),
	) as [Intl.NumberFormat, Intl.NumberFormat];
	const figure = (value: number, hasCents = !Number.isInteger(value)) =>
		(hasCents ? exactFigure : wholeFigure).format(value).replace("-", "\u2212");
	return {
		/** An amount without its currency, and without cents if they are 0; `hasCents` if others of its list have some. */
		figure,
		/** The same of a difference, with its sign. */
		change: (value: number) => `${value > 0 ? "+" : ""}${figure(value)}`,
		/** Decimal digits of a displayed amount. */
		digits,
		/** Without cents if they are 0. */
		money: (value: number) =>
			(Number.isInteger(value) ? whole : money).format(value),
	};
}

function quantitiesIn(language: string) {
	const number = (options: Intl.NumberFormatOptions) => {
		const format = new Intl.NumberFormat(language, options);
		return (value: number) => format.format(value);
	};
	return {
		compact: number({ notation: "compact" }),
		quantity: number({ maximumFractionDigits: 6 }),
		/** With one decimal at most. */
		rounded: number({ maximumFractionDigits: 1 }),
		percent: number({ style: "percent", maximumFractionDigits: 0 }),
	};
}

/** @param timeZone the shop's, for moments; days have none */
function timesIn(language: string, timeZone?: string) {
	const zoned = timeZone ? { timeZone } : {};
	const moment = (options: Intl.DateTimeFormatOptions) => {
		const format = new Intl.DateTimeFormat(language, { ...options, ...zoned });
		return (at: string) => format.format(new Date(at));
	};
	const day = (options: Intl.DateTimeFormatOptions) => {
		const format = new Intl.DateTimeFormat(language, {
			...options,
			timeZone: "UTC",
		});
		return (date: string) => format.format(new Date(`${date}T00:00:00Z`));
	};
	const month = day({ month: "short", year: "numeric" });
	return {
		moment: moment({ dateStyle: "medium", timeStyle: "short" }),
		/** The time of day, `11:20`. */
		time: moment({ hour: "2-digit", minute: "2-digit", hourCycle: "h23" }),
		day: day({ day: "numeric", month: "short" }),
		weekday: day({ weekday: "long" }),
		shortWeekday: day({ weekday: "short" }),
		/** `20 Nov 2026`. */
		fullDay: day({ day: "numeric", month: "short", year: "numeric" }),
		/** `November 2026`, of a day. */
		monthOf: day({ month: "long", year: "numeric" }),
		/** `Friday 20 November`. */
		longDay: day({ weekday: "long", day: "numeric", month: "long" }),
		/** A month as in `2026-11`. */
		month: (of: string) => month(`${of}-01`),
	};
}
