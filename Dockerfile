# The service with its dashboard: docs/deployment.md says how to run it.
#   docker build -t foyer . && docker run --rm -p 3000:3000 -v foyer-data:/data foyer

FROM node:20-bookworm-slim AS manifests
WORKDIR /foyer
COPY package.json package-lock.json ./
COPY contract/package.json contract/
COPY prisma/package.json prisma/
COPY server/package.json server/
COPY openapi/package.json openapi/
COPY sdk/package.json sdk/
COPY elements/package.json elements/
COPY dashboard/package.json dashboard/
COPY site/package.json site/
COPY examples/package.json examples/

FROM manifests AS build
RUN npm ci --ignore-scripts
COPY . .
RUN npx turbo run build --filter=@foyer/server... --filter=@foyer/dashboard... --filter=@foyer/site...

# What the service needs when it runs. Optional packages are left out because npm counts the Prisma command line among them; of
# these the service uses the faster binding of argon2, and the libraries for traces, which need nothing outside their scope.
FROM manifests AS packages
RUN npm ci --ignore-scripts --omit=dev --omit=optional --workspace @foyer/server --workspace @foyer/dashboard --workspace @foyer/site
COPY --from=build /foyer/node_modules/@node-rs node_modules/@node-rs
COPY --from=build /foyer/node_modules/@opentelemetry node_modules/@opentelemetry

FROM node:20-bookworm-slim
ENV NODE_ENV=production HOST=0.0.0.0 DATA_DIR=/data
WORKDIR /foyer
COPY --from=packages /foyer ./
COPY --from=build /foyer/openapi/v*.json openapi/
COPY --from=build /foyer/openapi/dist openapi/dist
COPY --from=build /foyer/prisma/migrations prisma/migrations
COPY --from=build /foyer/prisma/dist prisma/dist
COPY --from=build /foyer/dashboard/dist dashboard/dist
COPY --from=build /foyer/site/dist site/dist
COPY --from=build /foyer/server/dist server/dist
RUN chmod +x server/dist/cli.js && ln -s /foyer/server/dist/cli.js /usr/local/bin/foyer && mkdir /data && chown node:node /data
USER node
VOLUME /data
EXPOSE 3000
HEALTHCHECK --start-period=60s --interval=10s --timeout=5s \
  CMD ["node", "-e", "fetch(`http://127.0.0.1:${process.env.PORT?.trim() || 3000}/healthz`).then(({ ok }) => process.exit(ok ? 0 : 1), () => process.exit(1))"]
CMD ["foyer", "start"]
