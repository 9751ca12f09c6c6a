# SPDX-License-Identifier: Apache-2.0
"""Makes the keys, certificates and signatures in tests/data/signing with the reference implementation.

    build/venv-signing/bin/python tests/interop/signing_fixtures.py tests/data/signing

Signatures are random, so that a second run gives other bytes; test_signing.py verifies the stored ones with the reference.
The keys are for tests only."""

from __future__ import annotations

import base64
import datetime
import json
import sys
from pathlib import Path

from cryptography import x509
from cryptography.hazmat.primitives import hashes, serialization
from cryptography.hazmat.primitives.asymmetric import ec, rsa
from cryptography.x509.oid import ExtendedKeyUsageOID, NameOID
from model_signing import hashing, signing
from model_signing._signing import sign_sigstore_pb

FILES = {"a.txt": b"hello\n", "empty": b"", "sub/b.bin": bytes(range(256)) * 8, "sub.txt": b"sorts after sub/\n", "\u00e4 b.txt": b"name\n",
         ".gitignore": b"never signed\n", ".hidden": b"signed\n"}
CURVES = {"p256": ec.SECP256R1(), "p384": ec.SECP384R1(), "p521": ec.SECP521R1()}
FOREVER = datetime.datetime(2120, 1, 1)
START = datetime.datetime(2024, 1, 1)


def write_key(folder: Path, name: str, key) -> None:
    (folder / f"{name}.pem").write_bytes(key.private_bytes(
        serialization.Encoding.PEM, serialization.PrivateFormat.PKCS8, serialization.NoEncryption()))
    (folder / f"{name}.pub").write_bytes(key.public_key().public_bytes(
        serialization.Encoding.PEM, serialization.PublicFormat.SubjectPublicKeyInfo))


def certificate(name: str, key, issuer_name: str, issuer_key, *, ca: bool, begin=START, end=FOREVER, usage: str = "sign") -> x509.Certificate:
    def named(text: str) -> x509.Name:
        return x509.Name([x509.NameAttribute(NameOID.COMMON_NAME, text)])

    builder = (x509.CertificateBuilder().subject_name(named(name)).issuer_name(named(issuer_name)).public_key(key.public_key())
               .serial_number(x509.random_serial_number()).not_valid_before(begin).not_valid_after(end)
               .add_extension(x509.BasicConstraints(ca=ca, path_length=None), critical=True))
    if usage != "none":
        builder = builder.add_extension(x509.KeyUsage(
            digital_signature=usage == "sign" and not ca, key_cert_sign=ca, crl_sign=ca, content_commitment=False,
            key_encipherment=False, data_encipherment=False, key_agreement=usage in ("agree", "code"), encipher_only=False,
            decipher_only=False), critical=True)
    if usage == "code":
        builder = builder.add_extension(x509.ExtendedKeyUsage([ExtendedKeyUsageOID.CODE_SIGNING]), critical=False)
    return builder.sign(issuer_key, hashes.SHA256())


def write_chain(folder: Path, name: str, *chain: x509.Certificate) -> None:
    (folder / f"{name}.pem").write_bytes(b"".join(one.public_bytes(serialization.Encoding.PEM) for one in chain))


def early_signature(key, model: Path) -> str:
    """A signature as releases before 1.0 wrote it: every file is a subject, and Python's text of the payload was signed."""
    manifest = hashing.hash(model)
    subjects = [{"name": each.identifier, "digest": {"sha256": each.digest.digest_hex}} for each in manifest.resource_descriptors()]
    payload = json.dumps({"_type": "https://in-toto.io/Statement/v1", "subject": subjects,
                          "predicateType": "https://model_signing/Digests/v0.1", "predicate": {"it's": "early"}}).encode()
    signature = key.sign(sign_sigstore_pb.pae_compat(payload), ec.ECDSA(hashes.SHA384()))
    return json.dumps({
        "mediaType": "application/vnd.dev.sigstore.bundle.v0.3+json",
        "verificationMaterial": {"publicKey": {"rawBytes": "AAAA", "keyDetails": "PKIX_ECDSA_P384_SHA_256"}},
        "dsseEnvelope": {"payload": base64.b64encode(payload).decode(), "payloadType": "application/vnd.in-toto+json",
                         "signatures": [{"sig": base64.b64encode(signature).decode()}]}})


def make(folder: Path) -> None:
    model = folder / "model"
    for name, content in FILES.items():
        (model / name).parent.mkdir(parents=True, exist_ok=True)
        (model / name).write_bytes(content)
    keys = {name: ec.generate_private_key(curve) for name, curve in CURVES.items()}
    others = {"other": ec.generate_private_key(ec.SECP256R1()), "k256": ec.generate_private_key(ec.SECP256K1()),
              "rsa": rsa.generate_private_key(65537, 2048)}
    for name, key in (keys | others).items():
        write_key(folder, name, key)
    (folder / "locked.pem").write_bytes(keys["p256"].private_bytes(
        serialization.Encoding.PEM, serialization.PrivateFormat.PKCS8, serialization.BestAvailableEncryption(b"secret")))

    root, middle = ec.generate_private_key(ec.SECP384R1()), ec.generate_private_key(ec.SECP384R1())
    root_cert = certificate("Test Root", root, "Test Root", root, ca=True)
    middle_cert = certificate("Test Intermediate", middle, "Test Root", root, ca=True)
    leaf = dict(name="Test Signer", key=keys["p256"], issuer_name="Test Intermediate", issuer_key=middle, ca=False)
    write_chain(folder, "root", root_cert)
    write_chain(folder, "other-root", certificate("Other Root", others["other"], "Other Root", others["other"], ca=True))
    chains = {
        "chain": certificate(**leaf), "chain-code": certificate(**leaf, usage="code"), "chain-usage": certificate(**leaf, usage="agree"),
        "chain-none": certificate(**leaf, usage="none"),
        "chain-expired": certificate(**leaf, begin=datetime.datetime(2024, 2, 1), end=datetime.datetime(2024, 3, 1)),
        "chain-future": certificate(**leaf, begin=datetime.datetime(2119, 1, 1))}
    for name, own in chains.items():
        write_chain(folder, name, own, middle_cert)
        (folder / "leaf.tmp").write_bytes(own.public_bytes(serialization.Encoding.PEM))
        write_chain(folder, "middle.tmp", middle_cert)
        config = signing.Config().use_certificate_signer(
            private_key=folder / "p256.pem", signing_certificate=folder / "leaf.tmp", certificate_chain=[folder / "middle.tmp.pem"])
        config.sign(model, folder / f"{name}.sig")
    (folder / "leaf.tmp").unlink()
    (folder / "middle.tmp.pem").unlink()
    for name in CURVES:
        signing.Config().use_elliptic_key_signer(private_key=folder / f"{name}.pem").sign(model, folder / f"{name}.sig")
    shards = hashing.Config().use_shard_serialization(shard_size=1000)
    signing.Config().use_elliptic_key_signer(private_key=folder / "p256.pem").set_hashing_config(shards).sign(model, folder / "shards.sig")
    signing.Config().use_elliptic_key_signer(private_key=folder / "p256.pem").sign(model / "a.txt", folder / "file.sig")
    (folder / "early.sig").write_text(early_signature(keys["p384"], model))


if __name__ == "__main__":
    make(Path(sys.argv[1]))
