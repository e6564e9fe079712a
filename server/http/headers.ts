import { randomBytes } from "node:crypto";
import type { RequestHandler, Response } from "express";
import helmet from "helmet";

const httpsOnly = "max-age=31536000";

/** What pages of ours never ask a browser for, so that nothing that slips into one can. */
const denied = [
	...["accelerometer", "bluetooth", "camera", "display-capture", "geolocation"],
	...["gyroscope", "hid", "magnetometer", "microphone", "midi", "payment"],
	...["screen-wake-lock", "serial", "usb", "xr-spatial-tracking"],
];
const permissions = denied.map((name) => `${name}=()`).join(", ");

const nonceBytes = 16;

/** What the styles in a page must bear, so that none that slips into it counts. */
export function styleNonce({ locals }: Pick<Response, "locals">): string {
	return String(locals.styleNonce);
}

/** Tells a browser what a page of ours may do: nothing but what it came with, and in no frame. */
export function protectPages(): RequestHandler[] {
	return [
		(_request, { locals }, next) => {
			locals.styleNonce = randomBytes(nonceBytes).toString("base64");
			next();
		},
		helmet({
			contentSecurityPolicy: {
				useDefaults: false,
				directives: {
					defaultSrc: ["'self'"],
					baseUri: ["'none'"],
					formAction: ["'self'"],
					frameAncestors: ["'none'"],
					imgSrc: ["'self'", "data:"],
					objectSrc: ["'none'"],
					// A browser's till is SQLite as WebAssembly.
					scriptSrc: ["'self'", "'wasm-unsafe-eval'"],
					scriptSrcAttr: ["'none'"],
					styleSrc: [
						"'self'",
						(_request, response) =>
							`'nonce-${styleNonce(response as Response)}'`,
					],
					// Of one element, which a barcode sets: it reaches no other, and loads nothing from elsewhere.
					styleSrcAttr: ["'unsafe-inline'"],
				},
			},
			frameguard: { action: "deny" },
			// A shop's own server may speak http on its own network.
			strictTransportSecurity: false,
			// Without a referrer, a browser names the origin of our own forms "null".
			referrerPolicy: { policy: "same-origin" },
		}),
		(_request, response, next) => {
			response.setHeader("Permissions-Policy", permissions);
			next();
		},
	];
}

/** Once by https, always by https. */
export function stayOnHttps(): RequestHandler {
	return (request, response, next) => {
		if (request.secure)
			response.setHeader("Strict-Transport-Security", httpsOnly);
		next();
	};
}

/** For what programs ask: to be kept by nobody, and taken for nothing but what it says it is. */
export function protectAnswers(): RequestHandler {
	return (_request, response, next) => {
		response.setHeader("Cache-Control", "no-store");
		response.setHeader("X-Content-Type-Options", "nosniff");
		next();
	};
}
