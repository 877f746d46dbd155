// Puts the parts together: files in, state, keys, and the loop that shows a time.
import './style.css';
import { App } from './app';
import { wireControls } from './controls';

const app = new App();
wireControls(app);
app.run();
void app.openInitial();

// For tests and for scripts that make pictures.
Object.assign(window, { voussoir: app });
