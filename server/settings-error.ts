/** An unusable setting; the message is one line for the operator. */
export class SettingsError extends Error {
	override readonly name = "SettingsError";
}
