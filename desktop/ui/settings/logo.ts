/** As long as a receipt's logo may be, as a data URL: it travels with the shop's settings to every till. */
const urlMax = 2_000;
/** The widths to try, in dots of a receipt printer. */
const widths = [256, 192, 128, 96, 64, 48, 32];

/**
 * Makes a picture into a receipt's logo: black on white as a receipt printer prints it, and small enough to travel with the
 * shop's settings.
 *
 * @returns a data URL
 * @throws Error if the file is no picture, or too fine a pattern for any size
 */
export async function toLogo(file: Blob): Promise<string> {
	const picture = await createImageBitmap(file);
	for (const width of widths) {
		const url = drawn(picture, Math.min(width, picture.width));
		if (url.length <= urlMax) return url;
	}
	throw new Error("The picture has too many details for a logo");
}

function drawn(picture: ImageBitmap, width: number): string {
	const canvas = document.createElement("canvas");
	canvas.width = width;
	canvas.height = Math.max(
		1,
		Math.round((picture.height * width) / picture.width),
	);
	const context = canvas.getContext("2d");
	if (!context) throw new Error("This browser can't draw");
	context.fillStyle = "#fff";
	context.fillRect(0, 0, canvas.width, canvas.height);
	context.drawImage(picture, 0, 0, canvas.width, canvas.height);
	const image = context.getImageData(0, 0, canvas.width, canvas.height);
	const { data } = image;
	for (let at = 0; at < data.length; at += 4) {
		const [red = 0, green = 0, blue = 0] = data.subarray(at, at + 3);
		data.fill(
			0.3 * red + 0.59 * green + 0.11 * blue < 140 ? 0 : 255,
			at,
			at + 3,
		);
	}
	context.putImageData(image, 0, 0);
	return canvas.toDataURL("image/png");
}
