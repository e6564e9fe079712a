/** A setting that can't be used; its message is one line for the person who set it. */
export class SettingsError extends Error {
	override readonly name = "SettingsError";
}
