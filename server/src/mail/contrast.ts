// The contrast of two colors (WCAG 2.2), for labels on the accent color of an app.

/** The contrast that WCAG asks for in text (AA). */
export const readableContrast = 4.5;

/** White, or black where white cannot be read: then black contrasts enough, with every color. */
export function labelColorOn(color: string): '#000000' | '#ffffff' {
  return contrastOf(color, '#ffffff') >= readableContrast ? '#ffffff' : '#000000';
}

export function contrastOf(one: string, other: string): number {
  const [darker, lighter] = [luminanceOf(one), luminanceOf(other)].toSorted((a, b) => a - b) as [
    number,
    number,
  ];
  return (lighter + 0.05) / (darker + 0.05);
}

/** The relative luminance of a color such as `#1a73e8`. */
function luminanceOf(color: string): number {
  const [red, green, blue] = [1, 3, 5].map((at) => {
    const part = Number.parseInt(color.slice(at, at + 2), 16) / 255;
    return part <= 0.04045 ? part / 12.92 : ((part + 0.055) / 1.055) ** 2.4;
  }) as [number, number, number];
  return 0.2126 * red + 0.7152 * green + 0.0722 * blue;
}
