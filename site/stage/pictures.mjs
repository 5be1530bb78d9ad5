// Pictures that come in two files follow the switch of the site, which need not be what the browser prefers.

const picture = /<picture>\s*(<source[^>]*>)\s*(<img[^>]*>)\s*<\/picture>/g;
const attribute = (tag, name) => new RegExp(` ${name}="([^"]*)"`).exec(tag)?.[1] ?? '';

/** @returns {string} the Markdown with each `<picture>` as two images, one of which styles show */
export function withPicturesOfSite(text) {
  return text.replaceAll(picture, (_, source, img) => {
    const image = (name, src) => `<img class="${name}" alt="${attribute(img, 'alt')}" src="${src}">`;
    return `<p>${image('light-only', attribute(img, 'src'))}${image('dark-only', attribute(source, 'srcset'))}</p>`;
  });
}
