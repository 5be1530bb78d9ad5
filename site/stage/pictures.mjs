// Pictures that come in two files follow the switch of the site, which need not be what the browser prefers.

const picture =
  /<picture>\s*<source[^>]*srcset="([^"]+)">\s*<img alt="([^"]*)" src="([^"]+)">\s*<\/picture>/g;

/** @returns {string} the Markdown with each `<picture>` as two images, one of which styles show */
export function withPicturesOfSite(text) {
  return text.replaceAll(
    picture,
    (_, dark, alt, light) =>
      `<p><img class="light-only" alt="${alt}" src="${light}"><img class="dark-only" alt="${alt}" src="${dark}"></p>`,
  );
}
