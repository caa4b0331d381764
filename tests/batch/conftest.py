"""An S3 server on this machine."""

from __future__ import annotations

import uuid
from collections.abc import Iterator

import pytest


@pytest.fixture(scope="package")
def server() -> Iterator[None]:
    """Start an S3 server, to which the environment directs the processes of a batch."""
    from moto.server import ThreadedMotoServer

    server = ThreadedMotoServer(ip_address="127.0.0.1", port=0)
    server.start()
    try:
        host, port = server.get_host_and_port()
        where = {"AWS_ENDPOINT_URL": f"http://{host}:{port}", "AWS_ACCESS_KEY_ID": "x", "AWS_SECRET_ACCESS_KEY": "x"}
        with pytest.MonkeyPatch.context() as patch:
            for name, value in (where | {"AWS_DEFAULT_REGION": "us-east-1"}).items():
                patch.setenv(name, value)
            yield
    finally:
        server.stop()


@pytest.fixture
def bucket(server: None) -> str:
    """The URL of an empty bucket."""
    import boto3

    name = f"robots-{uuid.uuid4().hex}"
    boto3.client("s3").create_bucket(Bucket=name)
    return f"s3://{name}"
