import { useBusiness } from "./shop/use-shop-data.ts";
import { useWords } from "./words/index.ts";

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

/** The user's own variety of English; bare "en" would mean the United States'. */
function localeOf(language: string): string {
	if (language !== "en") return language;
	return /^en-/.test(navigator.language) ? navigator.language : "en-GB";
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
	const money = new Intl.NumberFormat(language, {
		style: "currency",
		currency,
		currencyDisplay: "code",
	});
	const whole = new Intl.NumberFormat(language, {
		style: "currency",
		currency,
		currencyDisplay: "code",
		minimumFractionDigits: 0,
		maximumFractionDigits: 0,
	});
	const compact = new Intl.NumberFormat(language, { notation: "compact" });
	const quantity = new Intl.NumberFormat(language, {
		maximumFractionDigits: 6,
	});
	const moment = new Intl.DateTimeFormat(language, {
		dateStyle: "medium",
		timeStyle: "short",
		...(timeZone ? { timeZone } : {}),
	});
	const day = new Intl.DateTimeFormat(language, {
		day: "numeric",
		month: "short",
		timeZone: "UTC",
	});
	const weekday = new Intl.DateTimeFormat(language, {
		weekday: "long",
		timeZone: "UTC",
	});
	const longDay = new Intl.DateTimeFormat(language, {
		weekday: "long",
		day: "numeric",
		month: "long",
		timeZone: "UTC",
	});
	const month = new Intl.DateTimeFormat(language, {
		month: "short",
		year: "numeric",
		timeZone: "UTC",
	});
	const time = new Intl.DateTimeFormat(language, {
		hour: "2-digit",
		minute: "2-digit",
		hourCycle: "h23",
		...(timeZone ? { timeZone } : {}),
	});
	const rounded = new Intl.NumberFormat(language, {
		maximumFractionDigits: 1,
	});
	const percent = new Intl.NumberFormat(language, {
		style: "percent",
		maximumFractionDigits: 0,
	});
	const figures = [0, money.resolvedOptions().maximumFractionDigits ?? 2].map(
		(digits) =>
			new Intl.NumberFormat(language, {
				minimumFractionDigits: digits,
				maximumFractionDigits: digits,
			}),
	) as [Intl.NumberFormat, Intl.NumberFormat];
	const figure = (value: number) =>
		figures[Number.isInteger(value) ? 0 : 1]
			.format(value)
			.replace("-", "\u2212");
	const toDate = (date: string) => new Date(`${date}T00:00:00Z`);
	return {
		currency,
		/** An amount without its currency, and without cents if they are 0. */
		figure,
		/** The same of a difference, with its sign. */
		change: (value: number) => `${value > 0 ? "+" : ""}${figure(value)}`,
		/** Decimal digits of a displayed amount. */
		digits: money.resolvedOptions().maximumFractionDigits ?? 2,
		/** Without cents if they are 0. */
		money: (value: number) =>
			(Number.isInteger(value) ? whole : money).format(value),
		compact: (value: number) => compact.format(value),
		quantity: (value: number) => quantity.format(value),
		moment: (at: string) => moment.format(new Date(at)),
		/** The time of day, `11:20`. */
		time: (at: string) => time.format(new Date(at)),
		day: (date: string) => day.format(toDate(date)),
		weekday: (date: string) => weekday.format(toDate(date)),
		/** `Friday 20 November`. */
		longDay: (date: string) => longDay.format(toDate(date)),
		/** A month as in `2026-11`. */
		month: (of: string) => month.format(toDate(`${of}-01`)),
		/** With one decimal at most. */
		rounded: (value: number) => rounded.format(value),
		percent: (share: number) => percent.format(share),
	};
}
