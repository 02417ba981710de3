python3 -c "import torch; print((torch.__version__, torch.version.cuda, torch.backends.cudnn.version()))"
