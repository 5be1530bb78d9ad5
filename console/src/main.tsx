import './styles/console.css';
import { render } from 'preact';
import { App } from './app/app.tsx';
import { startSession } from './app/session.ts';
import { applyTheme } from './app/theme.ts';

applyTheme();
const root = document.getElementById('app');
if (root !== null) render(<App />, root);
void startSession();
