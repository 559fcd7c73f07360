# Two stages: the first installs from the lock, the second has the result and no tools.
# docs/running.md says how to pin the base image by its digest.
ARG PYTHON_IMAGE=python:3.13-slim-bookworm

FROM ${PYTHON_IMAGE} AS build
# For the small part in C.
RUN apt-get update --quiet=2 && apt-get install --quiet=2 --no-install-recommends gcc libc6-dev
WORKDIR /build
COPY requirements.lock ./
RUN python -m venv /okey \
    && /okey/bin/pip install --quiet --no-cache-dir --disable-pip-version-check \
        --no-deps --only-binary=:all: --require-hashes --requirement requirements.lock
COPY pyproject.toml README.md LICENSE ./
COPY engine engine
COPY bot bot
COPY adapters adapters
RUN /okey/bin/pip install --quiet --no-cache-dir --disable-pip-version-check \
        --no-deps --no-build-isolation . \
    # Without it everything works, and computer players think less deeply: an image is not to lack it unnoticed.
    && cd / && /okey/bin/python -c "import engine.arrange._speedups"

FROM ${PYTHON_IMAGE}
RUN useradd --uid 10001 --no-create-home --shell /usr/sbin/nologin okey \
    && install --directory --owner=okey --mode=700 /data
COPY --from=build /okey /okey
USER okey
WORKDIR /data
VOLUME /data
# The port is open inside the container only; publish it on the loopback address (see docs/running.md).
ENV PATH=/okey/bin:$PATH DATA_DIR=/data WEB_HOST=0.0.0.0 WEB_PORT=8106 PYTHONUNBUFFERED=1
EXPOSE 8106
HEALTHCHECK --interval=30s --timeout=5s --start-period=20s --retries=3 \
    CMD ["python", "-c", "import os, urllib.request as web; web.urlopen(f'http://127.0.0.1:{os.environ[\"WEB_PORT\"]}/healthz', timeout=4)"]
ENTRYPOINT ["okey"]
CMD ["run"]
