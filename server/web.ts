import type { Request, Response } from "express";
import * as z from "zod";
import { credentials } from "./api/auth.ts";
import { isCrossSite } from "./auth/csrf.ts";
import { cookieName } from "./auth/identity.ts";
import { signIn } from "./auth/sign-in.ts";
import { lifetimeSeconds, user } from "./auth/tokens.ts";
import { isForm } from "./body.ts";
import { HttpError } from "./errors.ts";
import { escapeHtml } from "./html.ts";
import { type Deps, operation, type Routes } from "./routes.ts";

const page = { "text/html": z.string() };
/** To the first page, for one who came by a form. */
const seeOther = {};

/** The pages of this server, and the session that a browser signs in to and out of. */
export function webRoutes(deps: Deps): Routes {
	const { shop, gate, tokens, passwords, adminEmails } = deps;

	async function whoIs(request: Request): Promise<string | undefined> {
		try {
			return (await gate.identifySession(request)).name;
		} catch (error) {
			if (error instanceof HttpError) return undefined;
			throw error;
		}
	}

	return {
		"/": {
			GET: operation({
				summary: "The first page",
				access: "anyone",
				answers: { 200: page },
				async handle({ request, response }) {
					const name = await whoIs(request);
					sendPage(response, 200, "Counterfoil", homePage(name));
				},
			}),
		},

		"/login": {
			GET: operation({
				summary: "The page to sign in on",
				access: "anyone",
				answers: { 200: page },
				async handle({ response }) {
					sendPage(response, 200, "Sign in · Counterfoil", loginPage(""));
				},
			}),

			POST: operation({
				summary: "Sign in for a session cookie that lasts 30 days",
				access: "anyone",
				body: credentials,
				form: true,
				answers: { 200: z.object({ user }), 303: seeOther },
				async handle({ request, body, response }) {
					if (isCrossSite(request)) throw new HttpError(403, "Forbidden");
					const fromPage = isForm(request);
					try {
						const user = await signIn(shop.store, passwords, adminEmails, body);
						const token = await tokens.sign(user, "session");
						setSession(request, response, token, lifetimeSeconds);
						if (fromPage) response.redirect(303, "/");
						else response.json({ user });
					} catch (error) {
						if (!fromPage || !(error instanceof HttpError)) throw error;
						const page = loginPage(error.message);
						sendPage(response, error.status, "Sign in · Counterfoil", page);
					}
				},
			}),
		},

		"/logout": {
			POST: operation({
				summary: "Sign out: the cookie is taken away",
				access: "anyone",
				answers: { 200: z.object({ ok: z.literal(true) }), 303: seeOther },
				async handle({ request, response }) {
					if (isCrossSite(request)) throw new HttpError(403, "Forbidden");
					setSession(request, response, "", 0);
					if (isForm(request)) response.redirect(303, "/");
					else response.json({ ok: true });
				},
			}),
		},

		"/api/session": {
			GET: operation({
				summary: "Who is signed in in this browser",
				access: "userSession",
				answers: { 200: z.object({ user }) },
				async handle({ identity, response }) {
					response.json({ user: identity });
				},
			}),
		},
	};
}

function setSession(
	request: Request,
	response: Response,
	token: string,
	seconds: number,
): void {
	response.cookie(cookieName, token, {
		httpOnly: true,
		sameSite: "lax",
		secure: request.secure,
		path: "/",
		maxAge: seconds * 1_000,
	});
}

function homePage(name: string | undefined): string {
	const session = name
		? `<p>Signed in as <strong>${escapeHtml(name)}</strong>.</p>
       <form method="post" action="/logout"><button>Sign out</button></form>`
		: `<p><a class="button" href="/login">Sign in</a></p>`;
	return `<h1>Counterfoil</h1>
    <p class="state">The server is running.</p>
    ${session}
    <p>Tills sync with <code>/api/sync</code>; the business API is under <code>/api</code>.
      The till for the browser is still to come.</p>`;
}

function loginPage(problem: string): string {
	const alert = problem ? `<p role="alert">${escapeHtml(problem)}</p>` : "";
	return `<h1>Sign in</h1>
    ${alert}
    <form method="post" action="/login">
      <label>Email <input name="email" type="email" autocomplete="username" required autofocus></label>
      <label>Password <input name="password" type="password" autocomplete="current-password" required></label>
      <button>Sign in</button>
    </form>`;
}

const style = `
  :root { color-scheme: light dark; font: 16px/1.5 system-ui, sans-serif; }
  body { max-width: 26rem; margin: 12vh auto; padding: 0 1.5rem; }
  h1 { font-size: 2rem; margin: 0 0 .5rem; }
  .state::before { content: ""; display: inline-block; width: .6em; height: .6em; margin-right: .5em; border-radius: 50%; background: #2a9d5c; }
  label { display: block; margin: 1rem 0; }
  input { display: block; width: 100%; box-sizing: border-box; padding: .6rem; font: inherit; border: 1px solid #8888; border-radius: .4rem; }
  button, .button { display: inline-block; padding: .6rem 1.4rem; font: inherit; color: #fff; background: #1d6f42; border: 0; border-radius: .4rem; text-decoration: none; cursor: pointer; }
  [role=alert] { padding: .6rem; border-left: .3rem solid #c0392b; background: #c0392b22; }`;

function sendPage(
	response: Response,
	status: number,
	title: string,
	main: string,
): void {
	response
		.status(status)
		.set("Cache-Control", "no-store")
		.type("html")
		.send(`<!doctype html>
<html lang="en">
  <head>
    <meta charset="utf-8">
    <meta name="viewport" content="width=device-width, initial-scale=1">
    <title>${title}</title>
    <style>${style}</style>
  </head>
  <body>
    <main>${main}</main>
  </body>
</html>
`);
}
