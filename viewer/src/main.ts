// Puts the parts together: files in, state, keys, and the loop that shows a time.
import './style.css';
import { wireControls, wireFiles } from './controls';
import { FileApp } from './files';

const app = new FileApp();
wireControls(app);
wireFiles((file) => void app.open({ blob: file, name: file.name }));
app.run();
void app.openInitial();

// For tests and for scripts that make pictures.
Object.assign(window, { voussoir: app });
