import * as z from "zod";
import { SettingsError } from "../settings-error.ts";
import { providers } from "./providers/index.ts";

export const policies = ["balanced", "cheap", "fast", "best"] as const;
export type Policy = (typeof policies)[number];

const ms = (ifAbsent: number) =>
	z.coerce.number().int().min(1).max(3_600_000).default(ifAbsent);

const environment = z.object({
	GATEWAY_POLICY: z.enum(policies).default("balanced"),
	GATEWAY_FALLBACK: z.string().default(""),
	GATEWAY_CONNECT_MS: ms(5_000),
	GATEWAY_FIRST_TOKEN_MS: ms(30_000),
	GATEWAY_IDLE_MS: ms(30_000),
	GATEWAY_ANSWER_MS: ms(180_000),
	GATEWAY_CACHE_SECONDS: z.coerce.number().int().min(1).default(86_400),
	GATEWAY_CACHE_MB: z.coerce.number().min(0).max(100_000).default(64),
	OLLAMA_CONTEXT_LENGTH: z.coerce.number().int().min(0).default(0),
});

export interface ProviderSettings {
	key?: string;
	/** Without a slash at its end. */
	baseUrl: string;
}

export interface Timings {
	connectMs: number;
	/** Until a stream's first content; a local model, and one that thinks, has four times as long. */
	firstTokenMs: number;
	/** Between two parts of a stream. */
	idleMs: number;
	/** Until an answer that is not streamed. */
	answerMs: number;
}

export interface GatewaySettings {
	providers: Record<string, ProviderSettings>;
	policy: Policy;
	/** Models that are asked in place of one that was named and fails, in this order. */
	fallback: string[];
	timings: Timings;
	cacheSeconds: number;
	/** Of one business. */
	cacheBytes: number;
	/** What Ollama gives its models, where it was told: the setting has the name that it has there, where 0 is none. */
	localContextLength?: number;
}

/** `GEMINI_…` is what Google's own tools read. */
const otherNames: Record<string, string> = { google: "gemini" };

/** The setting that holds a provider's key. */
export function keyVariable(provider: string): string {
	return `${provider.toUpperCase()}_API_KEY`;
}

/**
 * A base address without a path gets that of the provider's own, so that `http://127.0.0.1:11434` is enough.
 *
 * @param env without empty variables
 * @throws SettingsError naming the variable
 */
export function readGatewaySettings(
	env: Record<string, string | undefined>,
): GatewaySettings {
	const parsed = environment.safeParse(env);
	if (!parsed.success) {
		const [issue] = parsed.error.issues;
		throw new SettingsError(`${issue?.path.join(".")}: ${issue?.message}`);
	}
	const given = parsed.data;
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
		fallback: given.GATEWAY_FALLBACK.split(",")
			.map((id) => id.trim())
			.filter((id) => id !== ""),
		timings: {
			connectMs: given.GATEWAY_CONNECT_MS,
			firstTokenMs: given.GATEWAY_FIRST_TOKEN_MS,
			idleMs: given.GATEWAY_IDLE_MS,
			answerMs: given.GATEWAY_ANSWER_MS,
		},
		cacheSeconds: given.GATEWAY_CACHE_SECONDS,
		cacheBytes: given.GATEWAY_CACHE_MB * 1_000_000,
		localContextLength: given.OLLAMA_CONTEXT_LENGTH || undefined,
	};
}

/** A key travels in a header: what can't is told here, without showing it. */
function toKey(name: string, value: string): string {
	const key = value.trim();
	if (!/^[\x21-\x7e]+$/.test(key))
		throw new SettingsError(`${name}: a key has no spaces and plain letters`);
	return key;
}

function toBaseUrl(name: string, value: string, own: string): string {
	const url = URL.parse(value.trim());
	if (!url || !/^https?:$/.test(url.protocol))
		throw new SettingsError(`${name}: must be an http or https address`);
	if (url.username || url.password || url.search || url.hash)
		throw new SettingsError(`${name}: must be an address alone`);
	if (url.pathname === "/") url.pathname = new URL(own).pathname;
	return url.href.replace(/(?<!\/)\/+$/, "");
}
