# Docent as an image: built in one stage, run in another by a user without rights. It brings a Redis along for running
# alone; with REDIS_URL that one is not started. Which parts a container plays: docker run … start --role worker
FROM node:20-bookworm-slim AS build
WORKDIR /build
COPY package.json package-lock.json .npmrc ./
RUN npm ci
COPY tsconfig.json ./
COPY scripts ./scripts
COPY src ./src
RUN npm run build

FROM node:20-bookworm-slim
RUN apt-get update \
  && apt-get install -y --no-install-recommends redis-server tini \
  && rm -rf /var/lib/apt/lists/* \
  && useradd --create-home --uid 10001 docent \
  && install -d -o docent -g docent -m 700 /data
WORKDIR /app
COPY --from=build /build/dist ./dist
COPY package.json LICENSE ./
USER docent
ENV NODE_ENV=production HOST=0.0.0.0 PORT=3000 DOCENT_DATA=/data
VOLUME /data
EXPOSE 3000
HEALTHCHECK --interval=10s --timeout=3s --start-period=20s \
  CMD ["node", "-e", "fetch(`http://127.0.0.1:${process.env.PORT}/healthz`).then((r) => process.exit(r.ok ? 0 : 1), () => process.exit(1))"]
ENTRYPOINT ["tini", "--", "node", "dist/cli.js"]
CMD ["start"]
