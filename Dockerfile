# Two stages: wheels are installed with what building needs, and run without it.
FROM python:3.11-slim-bookworm AS build
ENV PIP_NO_CACHE_DIR=1 PIP_DISABLE_PIP_VERSION_CHECK=1
WORKDIR /app
RUN python -m venv /venv
COPY requirements.lock ./
# PyTorch's own index has the CPU build; elsewhere the same version brings 5 GB of CUDA libraries.
ARG TORCH_INDEX=https://download.pytorch.org/whl/cpu
RUN /venv/bin/pip install --extra-index-url "$TORCH_INDEX" -r requirements.lock
COPY pyproject.toml README.md LICENSE ./
COPY bot bot
COPY adapters adapters
COPY storage storage
RUN /venv/bin/pip install --no-deps --no-build-isolation .

FROM python:3.11-slim-bookworm
RUN useradd --create-home --uid 1000 palace && mkdir /data && chown palace:palace /data
COPY --from=build /venv /venv
ENV PATH=/venv/bin:$PATH PALACE_HOME=/data PYTHONUNBUFFERED=1
USER palace
WORKDIR /home/palace
VOLUME /data
# Opens the file and reads from it, no more: `palace doctor` loads the model and asks every platform.
HEALTHCHECK --interval=60s --timeout=30s --start-period=60s CMD ["palace", "list", "--limit", "1", "--json"]
ENTRYPOINT ["palace"]
CMD ["run"]
