import { randomBytes } from "node:crypto";
import type { RequestHandler, Response } from "express";
import helmet from "helmet";

const httpsOnly = "max-age=31536000";

/**
 * Browser features that the app never uses, denied to injected scripts too. Bluetooth isn't named: Chromium on Linux
 * doesn't know it and would warn on each page load.
 */
const denied = [
	...["accelerometer", "camera", "display-capture", "geolocation"],
	...["gyroscope", "hid", "magnetometer", "microphone", "midi", "payment"],
	...["screen-wake-lock", "serial", "usb", "xr-spatial-tracking"],
];
const permissions = denied.map((name) => `${name}=()`).join(", ");

const nonceBytes = 16;

/** The nonce that a page's styles must carry, so that injected styles don't apply. */
export function styleNonce({ locals }: Pick<Response, "locals">): string {
	return String(locals.styleNonce);
}

/** Sets the security headers of pages: only the app's own resources, and no frames. */
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
					// The till in a browser runs SQLite as WebAssembly.
					scriptSrc: ["'self'", "'wasm-unsafe-eval'"],
					scriptSrcAttr: ["'none'"],
					styleSrc: [
						"'self'",
						(_request, response) =>
							`'nonce-${styleNonce(response as Response)}'`,
					],
					// A barcode sets a style attribute, which affects only its element and loads nothing.
					styleSrcAttr: ["'unsafe-inline'"],
				},
			},
			frameguard: { action: "deny" },
			// A shop's server may use plain HTTP on the local network.
			strictTransportSecurity: false,
			// Without a referrer, browsers send the origin "null" with the app's own forms.
			referrerPolicy: { policy: "same-origin" },
		}),
		(_request, response, next) => {
			response.setHeader("Permissions-Policy", permissions);
			next();
		},
	];
}

/** After one visit over HTTPS, keeps browsers on HTTPS. */
export function stayOnHttps(): RequestHandler {
	return (request, response, next) => {
		// Only a proxy's header can say so, and judging its address takes longer than all other headers.
		if ("x-forwarded-proto" in request.headers && request.secure)
			response.setHeader("Strict-Transport-Security", httpsOnly);
		next();
	};
}

/** Sets the headers of API answers: no caching and no content sniffing. */
export function protectAnswers(): RequestHandler {
	return (_request, response, next) => {
		response.setHeader("Cache-Control", "no-store");
		response.setHeader("X-Content-Type-Options", "nosniff");
		next();
	};
}

/** Keeps pages that anyone with their link may open out of search engines. */
export function hideFromSearch(): RequestHandler {
	return (_request, response, next) => {
		response.setHeader("X-Robots-Tag", "noindex");
		next();
	};
}
