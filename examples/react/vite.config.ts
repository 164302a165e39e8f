// The build of the app. Its configuration is in `.env` or the environment: see README.md.
import react from '@vitejs/plugin-react';
import { defineConfig } from 'vite';

export default defineConfig({ plugins: [react()], build: { target: 'es2022' } });
