import { effect, signal } from '@preact/signals';

/** The user's choice; `system` follows the device. */
export type Theme = 'system' | 'light' | 'dark';

const key = 'ilk-console-theme';
const themes: readonly Theme[] = ['system', 'light', 'dark'];

export const theme = signal<Theme>(themes.find((one) => one === localStorage.getItem(key)) ?? 'system');

const preference = matchMedia('(prefers-color-scheme: dark)');
const deviceIsDark = signal(preference.matches);
preference.addEventListener('change', ({ matches }) => {
  deviceIsDark.value = matches;
});

/** Applies the theme to the page. */
export function applyTheme(): void {
  effect(() => {
    const dark = theme.value === 'dark' || (theme.value === 'system' && deviceIsDark.value);
    document.documentElement.dataset['theme'] = dark ? 'dark' : 'light';
    localStorage.setItem(key, theme.value);
  });
}

/** Switches to the next of the three. */
export function nextTheme(): void {
  theme.value = themes[(themes.indexOf(theme.value) + 1) % themes.length] ?? 'system';
}
