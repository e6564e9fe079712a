import * as z from "zod";
import { listOf, parseEnvironment, SettingsError } from "../environment.ts";
import { providers } from "./providers/index.ts";

export const policies = ["balanced", "cheap", "fast", "best"] as const;
export type Policy = (typeof policies)[number];

const ms = (ifAbsent: number) =>
	z.coerce.number().int().min(1).max(3_600_000).default(ifAbsent);

const environment = z.object({
	GATEWAY_POLICY: z.enum(policies).default("balanced"),
	GATEWAY_FALLBACK: z.string().default(""),
	GATEWAY_EXPLORING: z.coerce.number().min(0).max(1).default(0.05),
	GATEWAY_CONNECT_MS: ms(5_000),
	GATEWAY_FIRST_TOKEN_MS: ms(30_000),
	GATEWAY_IDLE_MS: ms(20_000),
	GATEWAY_ANSWER_MS: ms(180_000),
	GATEWAY_CACHE_SECONDS: z.coerce.number().int().min(1).default(86_400),
	GATEWAY_CACHE_MB: z.coerce.number().min(0).max(100_000).default(64),
	GATEWAY_DELIVERY_LAN: z.enum(["on", "off"]).default("off"),
	OLLAMA_CONTEXT_LENGTH: z.coerce.number().int().min(0).default(0),
});

export interface ProviderSettings {
	key?: string;
	/** Without a trailing slash. */
	baseUrl: string;
}

export interface Timings {
	connectMs: number;
	/**
	 * Until a stream's first content. Local and reasoning models get four times as long; a third is left while another model
	 * may answer instead.
	 */
	firstTokenMs: number;
	/** Between two events of a stream. */
	idleMs: number;
	/** Until the end of an answer that isn't streamed. */
	answerMs: number;
}

export interface GatewaySettings {
	providers: Record<string, ProviderSettings>;
	policy: Policy;
	/** The share of requests that the gateway routes to a model which was not measured lately. */
	exploring: number;
	/** The models to try, in order, when a named model fails. */
	fallback: string[];
	timings: Timings;
	cacheSeconds: number;
	/** Limit for each business. */
	cacheBytes: number;
	/** Answers of queued requests are also delivered to private networks, and over http. */
	deliversToLan: boolean;
	/** Ollama's configured context, read from the variable that Ollama itself reads; 0 there means unset. */
	localContextLength?: number;
}

/** Google's own tools read `GEMINI_…`. */
const otherNames: Record<string, string> = { google: "gemini" };

/** The environment variable that holds a provider's key. */
export function keyVariable(provider: string): string {
	return `${provider.toUpperCase()}_API_KEY`;
}

/**
 * Reads the gateway's settings. A base URL without a path gets the provider's default path, so that
 * `http://127.0.0.1:11434` is enough.
 *
 * @param env without empty variables
 * @throws SettingsError naming the variable
 */
export function readGatewaySettings(
	env: Record<string, string | undefined>,
): GatewaySettings {
	const given = parseEnvironment(environment, env);
	const found = (provider: string, what: string) => {
		const names = [provider, otherNames[provider] ?? provider];
		const name = names
			.map((it) => `${it.toUpperCase()}_${what}`)
			.find((it) => env[it] !== undefined);
		return name === undefined ? undefined : { name, value: env[name] ?? "" };
	};
	return {
		providers: Object.fromEntries(
			providers.map(({ id, baseUrl }) => {
				const key = found(id, "API_KEY");
				const base = found(id, "BASE_URL");
				return [
					id,
					{
						key: key && toKey(key.name, key.value),
						baseUrl: base ? toBaseUrl(base.name, base.value, baseUrl) : baseUrl,
					},
				];
			}),
		),
		policy: given.GATEWAY_POLICY,
		exploring: given.GATEWAY_EXPLORING,
		fallback: listOf(given.GATEWAY_FALLBACK),
		timings: {
			connectMs: given.GATEWAY_CONNECT_MS,
			firstTokenMs: given.GATEWAY_FIRST_TOKEN_MS,
			idleMs: given.GATEWAY_IDLE_MS,
			answerMs: given.GATEWAY_ANSWER_MS,
		},
		cacheSeconds: given.GATEWAY_CACHE_SECONDS,
		cacheBytes: given.GATEWAY_CACHE_MB * 1_000_000,
		deliversToLan: given.GATEWAY_DELIVERY_LAN === "on",
		localContextLength: given.OLLAMA_CONTEXT_LENGTH || undefined,
	};
}

/** Refuses a key that can't travel in a header, without showing it. */
function toKey(name: string, value: string): string {
	const key = value.trim();
	if (!/^[\x21-\x7e]+$/.test(key))
		throw new SettingsError(`${name}: must be ASCII characters without spaces`);
	return key;
}

function toBaseUrl(name: string, value: string, own: string): string {
	const url = URL.parse(value.trim());
	if (!url || !/^https?:$/.test(url.protocol))
		throw new SettingsError(`${name}: must be an http or https URL`);
	if (url.username || url.password || url.search || url.hash)
		throw new SettingsError(
			`${name}: must be a URL without user name, password, query or fragment`,
		);
	if (url.pathname === "/") url.pathname = new URL(own).pathname;
	return url.href.replace(/(?<!\/)\/+$/, "");
}
