# The image of Parley: runs as any user, with a read-only root, and writes to /var/lib/parley and /tmp only.
# `packaging/try-image.sh` builds and tries it. docs/containers.md says how to use it.

# A root of the few Debian packages that the program needs. A whole Debian would be five times as large.
FROM node:24-trixie-slim AS system
COPY packaging/image/make-system.sh /
RUN /make-system.sh /system

# What the program needs at run time, without headers, sources and symbols.
FROM node:24-trixie-slim AS modules
RUN apt-get update && apt-get install --yes --no-install-recommends binutils
WORKDIR /opt/parley
COPY package.json package-lock.json .npmrc ./
COPY packaging/image/install-modules.sh /
RUN /install-modules.sh

FROM node:24-trixie-slim AS program
WORKDIR /build
COPY package.json package-lock.json .npmrc ./
RUN npm ci
COPY . .
RUN npm run build
# The commit, for `parley --version` and the metrics.
ARG REVISION=unknown
RUN packaging/image/copy-program.sh /program && echo "$REVISION" > /program/revision

FROM scratch
COPY --from=system /system /
COPY --from=modules /opt/parley/node_modules /opt/parley/node_modules
COPY --from=program /program /opt/parley
ENV PATH=/opt/parley/bin:/usr/bin \
    PARLEY_DATA_DIR=/var/lib/parley \
    PARLEY_HOST=:: \
    NODE_COMPILE_CACHE=/tmp/parley-compiled
WORKDIR /opt/parley
USER 10001:10001
VOLUME /var/lib/parley
EXPOSE 8443
STOPSIGNAL SIGTERM
HEALTHCHECK --start-period=60s --interval=10s --timeout=5s \
  CMD ["/opt/parley/node_modules/.bin/node", "/opt/parley/check-health.ts"]
# tini reaps the processes of a killed PostgreSQL, which the program does not.
ENTRYPOINT ["/usr/bin/tini", "--", "/opt/parley/bin/parley"]
CMD ["serve"]
