# The service as an image: slim, not root, with nothing that it must write but its volumes.
#   docker build -t biblicus . && docker compose up
#   docker build --build-arg EXTRAS=serve,postgres,mcp,meaning,office,ocr -t biblicus .
# pycld2 has no wheel for arm64: it is compiled there.
FROM python:3.11-slim AS built
RUN apt-get update && apt-get install -y --no-install-recommends g++ && rm -rf /var/lib/apt/lists/*
ARG EXTRAS=serve,postgres,mcp,meaning
WORKDIR /src
COPY pyproject.toml README.md LICENSE ./
COPY packaging/build_hook.py packaging/
COPY biblicus biblicus
RUN python -m venv /opt/biblicus \
    && /opt/biblicus/bin/pip install --no-cache-dir --disable-pip-version-check ".[${EXTRAS}]"

FROM python:3.11-slim
RUN useradd --uid 10001 --no-create-home --home-dir /state --shell /usr/sbin/nologin biblicus \
    && install -d -o biblicus -g biblicus /corpus /state
COPY --from=built /opt/biblicus /opt/biblicus
COPY packaging/docker/start /usr/local/bin/start
ENV PATH=/opt/biblicus/bin:$PATH PYTHONDONTWRITEBYTECODE=1 \
    BIBLICUS_CONFIG_HOME=/config BIBLICUS_STATE_HOME=/state BIBLICUS_RUNTIME_HOME=/tmp
USER 10001:10001
WORKDIR /corpus
VOLUME ["/corpus", "/state"]
EXPOSE 8765
HEALTHCHECK --interval=30s --timeout=5s --start-period=20s --retries=3 \
    CMD ["python", "-c", "import urllib.request; urllib.request.urlopen('http://127.0.0.1:8765/health', timeout=4)"]
ENTRYPOINT ["start"]
CMD ["serve", "/corpus", "--host", "0.0.0.0", "--port", "8765"]
